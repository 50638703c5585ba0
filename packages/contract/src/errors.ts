import { isIssueKind, ISSUES } from './issues.ts';

/**
 * Every error the API can answer: a stable code, its HTTP status, and its sentence in English and Turkish.
 * Codes are never renamed or reused. `{name}` in a sentence is filled from the error's context.
 * Sentences that the spec fixes (§5, §8) stand word for word in English.
 */
export const ERRORS = {
  // Requests
  VALIDATION_FAILED: {
    status: 400,
    en: 'The field {field} is not valid: {issue}',
    tr: '{field} alanı geçersiz: {issue}',
  },
  BODY_INVALID: {
    status: 400,
    en: 'The request body is not valid JSON.',
    tr: 'İstek gövdesi geçerli bir JSON değil.',
  },
  BODY_TOO_LARGE: {
    status: 413,
    en: 'The request body is too large.',
    tr: 'İstek gövdesi çok büyük.',
  },
  MEDIA_TYPE_UNSUPPORTED: {
    status: 415,
    en: 'Send the request body as application/json.',
    tr: 'İstek gövdesini application/json olarak gönderin.',
  },
  ROUTE_NOT_FOUND: {
    status: 404,
    en: 'There is nothing at this address.',
    tr: 'Bu adreste bir şey yok.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    en: 'This address does not take this method.',
    tr: 'Bu adres bu yöntemi kabul etmiyor.',
  },
  REQUEST_INVALID: {
    status: 400,
    en: 'The request could not be read.',
    tr: 'İstek okunamadı.',
  },
  HOST_NOT_ALLOWED: {
    status: 421,
    en: 'This server does not answer under this host name. KERVAN_HOSTS lists those it answers under.',
    tr: 'Bu sunucu bu ana makine adıyla yanıt vermez. Yanıt verdiği adlar KERVAN_HOSTS ile belirlenir.',
  },
  CROSS_SITE_REFUSED: {
    status: 403,
    en: 'This call is refused when another site makes it.',
    tr: 'Bu çağrı başka bir siteden yapıldığında reddedilir.',
  },
  RATE_LIMITED: {
    status: 429,
    en: 'Rate limited - too many requests',
    tr: 'Çok fazla istek gönderildi. {retryAfterSec} saniye sonra yeniden deneyin.',
  },
  INTERNAL: {
    status: 500,
    en: 'Something went wrong on the server. The request id finds it in the log.',
    tr: 'Sunucuda bir hata oluştu. İstek kimliği ile kayıtlarda bulunabilir.',
  },
  UNAVAILABLE: {
    status: 503,
    en: 'The server is starting or its database is away. Try again in a few seconds.',
    tr: 'Sunucu başlıyor ya da veritabanına ulaşılamıyor. Birkaç saniye sonra yeniden deneyin.',
  },

  // Fields whose sentence the spec fixes
  USERNAME_REQUIRED: { status: 400, en: 'Username is required', tr: 'Kullanıcı adı gerekli' },
  PASSWORD_TOO_SHORT: {
    status: 400,
    en: 'Password must be at least 6 characters long',
    tr: 'Parola en az 6 karakter olmalı',
  },
  WALLET_NAME_REQUIRED: {
    status: 400,
    en: 'Please enter a wallet name',
    tr: 'Lütfen bir cüzdan adı girin',
  },
  PRIVATE_KEY_REQUIRED: {
    status: 400,
    en: 'Please enter a private key',
    tr: 'Lütfen bir özel anahtar girin',
  },
  PRIVATE_KEY_INVALID: {
    status: 400,
    en: 'Invalid private key format. Please use base58 string or array format.',
    tr: 'Özel anahtar biçimi geçersiz. Lütfen base58 metin ya da dizi biçimi kullanın.',
  },
  PRIVATE_KEY_HEX_INVALID: {
    status: 400,
    en: 'Invalid private key format. Please use exactly 64 hex characters, with or without 0x.',
    tr: 'Özel anahtar biçimi geçersiz. Lütfen 0x ile ya da 0x olmadan tam 64 onaltılık karakter kullanın.',
  },
  BOT_NAME_REQUIRED: {
    status: 400,
    en: 'Please enter a bot name',
    tr: 'Lütfen bir bot adı girin',
  },
  AMOUNT_NOT_POSITIVE: {
    status: 400,
    en: 'The amounts of a buy must be greater than zero',
    tr: 'Alım miktarları sıfırdan büyük olmalı',
  },
  AMOUNT_RANGE_INVALID: {
    status: 400,
    en: 'Minimum amount must be less than maximum amount',
    tr: 'En az miktar, en çok miktardan küçük olmalı',
  },
  INTERVAL_RANGE_INVALID: {
    status: 400,
    en: 'Minimum interval must be less than maximum interval',
    tr: 'En kısa aralık, en uzun aralıktan küçük olmalı',
  },
  TOKEN_ADDRESS_INVALID: {
    status: 400,
    en: 'Please enter a valid token address',
    tr: 'Lütfen geçerli bir token adresi girin',
  },
  ADDRESS_INVALID: { status: 400, en: 'This is not a valid address.', tr: 'Bu geçerli bir adres değil.' },
  DECIMAL_INVALID: {
    status: 400,
    en: 'Send the amount as a positive decimal text such as "1.25".',
    tr: 'Miktarı "1.25" gibi artı bir ondalık metin olarak gönderin.',
  },
  TEXT_INVALID: {
    status: 400,
    en: 'The text has characters that cannot be stored.',
    tr: 'Metinde saklanamayan karakterler var.',
  },
  AMOUNT_TOO_PRECISE: {
    status: 400,
    en: 'The amount is too small or too large for this token, which has {decimals} decimals.',
    tr: 'Miktar, {decimals} ondalıklı bu token için çok küçük ya da çok büyük.',
  },

  // Accounts
  AUTH_REQUIRED: {
    status: 401,
    en: 'Sign in to go on.',
    tr: 'Devam etmek için oturum açın.',
  },
  CREDENTIALS_INVALID: {
    status: 401,
    en: 'The username or the password is wrong.',
    tr: 'Kullanıcı adı ya da parola yanlış.',
  },
  REFRESH_INVALID: {
    status: 401,
    en: 'The session has ended. Sign in again.',
    tr: 'Oturum sona erdi. Yeniden oturum açın.',
  },
  REGISTRATION_CLOSED: {
    status: 403,
    en: 'Registration is closed on this server.',
    tr: 'Bu sunucuda kayıt kapalı.',
  },
  SESSION_NOT_FOUND: {
    status: 404,
    en: 'There is no such session, or it has ended.',
    tr: 'Böyle bir oturum yok ya da sona ermiş.',
  },
  USERNAME_TAKEN: {
    status: 409,
    en: 'This username is taken.',
    tr: 'Bu kullanıcı adı alınmış.',
  },

  // Wallets
  WALLET_NOT_FOUND: { status: 404, en: 'There is no such wallet.', tr: 'Böyle bir cüzdan yok.' },
  WALLET_EXISTS: {
    status: 409,
    en: 'This key is already stored as the wallet {name}.',
    tr: 'Bu anahtar {name} cüzdanı olarak zaten kayıtlı.',
  },
  WALLET_IN_USE: {
    status: 409,
    en: 'The wallet is in use by {bots} bots and {trades} open trades. Delete the bots and wait for the trades first.',
    tr: 'Cüzdanı {bots} bot ve {trades} açık işlem kullanıyor. Önce botları silin ve işlemlerin bitmesini bekleyin.',
  },
  WALLET_FUNDS_VOLUME: {
    status: 409,
    en: 'The wallet is the master of a volume session. Stop the session and wait until it is drained.',
    tr: 'Cüzdan bir hacim oturumunun ana cüzdanı. Oturumu durdurun ve boşaltılmasını bekleyin.',
  },
  TRANSACTION_NOT_FOUND: {
    status: 404,
    en: 'The wallet has no such transaction on this network.',
    tr: 'Cüzdanın bu ağda böyle bir işlemi yok.',
  },
  VAULT_LOCKED: {
    status: 503,
    en: 'The vault is locked. Start the server with the right master key or passphrase.',
    tr: 'Kasa kilitli. Sunucuyu doğru ana anahtar ya da parola ile başlatın.',
  },

  // Bots
  BOT_NOT_FOUND: { status: 404, en: 'There is no such bot.', tr: 'Böyle bir bot yok.' },
  BOT_TOKEN_REQUIRED: {
    status: 409,
    en: 'Give the bot a token address before it is started.',
    tr: 'Başlatmadan önce bota bir token adresi verin.',
  },
  BOT_ACTIVE_LIMIT: {
    status: 409,
    en: 'This bot is already running a trade.',
    tr: 'Bu bot zaten bir işlem yürütüyor.',
  },
  TOKEN_NOT_FOUND: {
    status: 404,
    en: 'There is no token at this address on this network.',
    tr: 'Bu ağda, bu adreste bir token yok.',
  },

  // Trades
  TRADE_NOT_FOUND: { status: 404, en: 'There is no such trade.', tr: 'Böyle bir işlem yok.' },
  TRADING_HALTED: {
    status: 409,
    en: 'Trading is halted. Release the halt switch to trade.',
    tr: 'İşlemler durduruldu. İşlem yapmak için durdurma anahtarını kapatın.',
  },
  LIMIT_PER_TRADE: {
    status: 409,
    en: 'The trade is worth {value} {symbol}; the limit for one trade is {limit} {symbol}.',
    tr: 'İşlemin değeri {value} {symbol}; tek işlem sınırı {limit} {symbol}.',
  },
  LIMIT_PER_WALLET_DAY: {
    status: 409,
    en: 'The wallet has traded {used} of {limit} {symbol} today; this trade is worth {value} {symbol}.',
    tr: 'Cüzdan bugün {limit} {symbol} sınırının {used} kadarını kullandı; bu işlemin değeri {value} {symbol}.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    en: 'This Idempotency-Key was sent before with another request.',
    tr: 'Bu Idempotency-Key daha önce başka bir istekle gönderildi.',
  },
  IDEMPOTENCY_KEY_INVALID: {
    status: 400,
    en: 'An Idempotency-Key has 1 to 200 visible ASCII characters.',
    tr: 'Idempotency-Key 1 ile 200 arasında görünür ASCII karakterden oluşur.',
  },
  VOLUME_LIVE_NETWORK: {
    status: 403,
    en: 'Volume sessions run on test networks only.',
    tr: 'Hacim oturumları yalnızca test ağlarında çalışır.',
  },

  // Volume sessions
  VOLUME_MASTER_REQUIRED: {
    status: 400,
    en: 'Choose a stored wallet or paste a private key to fund the session: one of the two.',
    tr: 'Oturumu fonlamak için kayıtlı bir cüzdan seçin ya da bir özel anahtar yapıştırın: ikisinden biri.',
  },
  VOLUME_MASTER_SHORT: {
    status: 409,
    en: 'The master wallet has {available} {symbol}; funding {count} wallets needs at least {needed} {symbol}, fees included.',
    tr: 'Ana cüzdanda {available} {symbol} var; {count} cüzdanı fonlamak için ücretlerle birlikte en az {needed} {symbol} gerekiyor.',
  },
  VOLUME_ALREADY_RUNNING: {
    status: 409,
    en: 'A volume session is running or being drained on this chain. Wait until it has ended.',
    tr: 'Bu zincirde bir hacim oturumu çalışıyor ya da boşaltılıyor. Bitmesini bekleyin.',
  },
  VOLUME_NOT_RUNNING: {
    status: 409,
    en: 'No volume session is running on this chain.',
    tr: 'Bu zincirde çalışan bir hacim oturumu yok.',
  },
  VOLUME_SESSION_NOT_FOUND: {
    status: 404,
    en: 'There is no such volume session.',
    tr: 'Böyle bir hacim oturumu yok.',
  },
  VOLUME_MASTER_GONE: {
    status: 409,
    en: 'The master wallet was deleted; nothing is sent to it any more. The keys of the session’s wallets are exported on the machine itself: npm run vault -- export',
    tr: 'Ana cüzdan silinmiş; artık ona bir şey gönderilmez. Oturum cüzdanlarının anahtarları makinenin kendisinde dışa aktarılır: npm run vault -- export',
  },
  VOLUME_FUNDING_FAILED: {
    status: 409,
    en: 'A wallet could not be funded: {reason}',
    tr: 'Bir cüzdan fonlanamadı: {reason}',
  },
  VOLUME_TURNS_FAILED: {
    status: 409,
    en: '{count} trades in a row could not be made; the last one: {reason}',
    tr: 'Art arda {count} işlem yapılamadı; sonuncusu: {reason}',
  },

  // Fast swaps
  FAST_SWAP_NOT_FOUND: { status: 404, en: 'There is no such fast swap.', tr: 'Böyle bir hızlı takas yok.' },
  FAST_SWAP_WALLETS_REQUIRED: {
    status: 400,
    en: 'Select at least one wallet.',
    tr: 'En az bir cüzdan seçin.',
  },
  BUNDLE_NOT_LANDED: {
    status: 409,
    en: 'The network did not take the bundle before it expired. None of its wallets traded.',
    tr: 'Ağ, paketi süresi dolmadan almadı. Paketteki cüzdanların hiçbiri işlem yapmadı.',
  },
  PASTED_KEY_GONE: {
    status: 409,
    en: 'The server was restarted, and pasted keys are kept in memory only. Nothing was traded; paste the key again.',
    tr: 'Sunucu yeniden başladı; yapıştırılan anahtarlar yalnızca bellekte tutulur. Alım satım yapılmadı; anahtarı yeniden yapıştırın.',
  },

  // Why a trade failed or a run could not trade
  BALANCE_INSUFFICIENT: {
    status: 409,
    en: 'The wallet has {available} {symbol}; the trade needs {needed} {symbol}.',
    tr: 'Cüzdanda {available} {symbol} var; işlem için {needed} {symbol} gerekiyor.',
  },
  SLIPPAGE_EXCEEDED: {
    status: 409,
    en: 'The price moved by more than the slippage allows.',
    tr: 'Fiyat, izin verilen kaymadan fazla değişti.',
  },
  ROUTE_UNAVAILABLE: {
    status: 409,
    en: 'No pool or route trades this token for this amount.',
    tr: 'Bu token bu miktar için hiçbir havuzda ya da rotada alınıp satılamıyor.',
  },
  TRANSFER_FAILED: {
    status: 409,
    en: 'The token refuses this transfer. It may not be sellable.',
    tr: 'Token bu aktarımı reddediyor. Satılamayan bir token olabilir.',
  },
  TAX_EXCESSIVE: {
    status: 409,
    en: 'The token keeps {taxPercent} % of this trade; more than {maxPercent} % is refused.',
    tr: 'Token bu işlemin %{taxPercent} kadarını kesiyor; %{maxPercent} üstü reddedilir.',
  },
  SIMULATION_FAILED: {
    status: 409,
    en: 'The trade would fail on the chain: {reason}',
    tr: 'İşlem zincirde başarısız olurdu: {reason}',
  },
  TRANSACTION_REVERTED: {
    status: 409,
    en: 'The chain refused the transaction: {reason}',
    tr: 'Zincir işlemi reddetti: {reason}',
  },
  TRANSACTION_EXPIRED: {
    status: 409,
    en: 'The transaction expired before the network took it. Nothing was traded.',
    tr: 'İşlem ağ tarafından alınmadan süresi doldu. Alım satım yapılmadı.',
  },
  TRANSACTION_REPLACED: {
    status: 409,
    en: 'Another transaction of the wallet took this one’s place. Nothing was traded.',
    tr: 'Cüzdanın başka bir işlemi bunun yerini aldı. Alım satım yapılmadı.',
  },

  // Networks
  NETWORK_MISMATCH: {
    status: 502,
    en: 'The node serves another network ({actual}) than it should ({expected}). Trading there is stopped.',
    tr: 'Düğüm, beklenenden ({expected}) başka bir ağ ({actual}) sunuyor. Orada işlemler durduruldu.',
  },
  NETWORK_UNREACHABLE: {
    status: 502,
    en: 'The node of {network} does not answer.',
    tr: '{network} düğümü yanıt vermiyor.',
  },
  NETWORK_UNAVAILABLE: {
    status: 409,
    en: 'The network {network} of {chain} is not set up on this server.',
    tr: '{chain} zincirinin {network} ağı bu sunucuda kurulu değil.',
  },
  NODE_UNREACHABLE: {
    status: 400,
    en: 'No node answers at the address in {field}. Nothing was saved.',
    tr: '{field} alanındaki adreste yanıt veren bir düğüm yok. Hiçbir şey kaydedilmedi.',
  },
  NODE_MISMATCH: {
    status: 400,
    en: 'The node in {field} serves {actual} instead of {expected}. Nothing was saved.',
    tr: '{field} alanındaki düğüm {expected} yerine {actual} sunuyor. Hiçbir şey kaydedilmedi.',
  },
  RPC_URL_INVALID: {
    status: 400,
    en: 'Enter an address that begins with http:// or https://, without a user name in it.',
    tr: 'http:// ya da https:// ile başlayan, içinde kullanıcı adı olmayan bir adres girin.',
  },
  SANDBOX_NODE_FIXED: {
    status: 400,
    en: 'The sandbox has a node of its own. Choose a test or live network to give it yours.',
    tr: 'Deneme ortamının kendi düğümü var. Kendi düğümünüzü vermek için bir test ağı ya da canlı ağ seçin.',
  },
  PROVIDER_KEY_REQUIRED: {
    status: 400,
    en: 'The provider key is required',
    tr: 'Sağlayıcı anahtarı gerekli',
  },
  PROVIDER_KEY_REFUSED: {
    status: 400,
    en: 'The Solana provider does not accept this key.',
    tr: 'Solana sağlayıcısı bu anahtarı kabul etmiyor.',
  },
  RPC_REFUSED: {
    status: 400,
    en: 'The node refused the call: {reason}',
    tr: 'Düğüm çağrıyı reddetti: {reason}',
  },
  SANDBOX_OFF: {
    status: 404,
    en: 'The sandbox does not run on this server.',
    tr: 'Bu sunucuda deneme ortamı çalışmıyor.',
  },
  FAUCET_REFUSED: {
    status: 400,
    en: 'The faucet refused: {reason}',
    tr: 'Musluk reddetti: {reason}',
  },
} as const satisfies Record<string, { status: number; en: string; tr: string }>;

export type ErrorCode = keyof typeof ERRORS;
export type Language = 'en' | 'tr';
export type ErrorContext = Readonly<Record<string, string | number | boolean | null>>;

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERRORS, text);
}

/** The sentence for a person: the table's text with `{name}` filled from the context, kinds of issues in words. */
export function errorMessage(code: ErrorCode, context: ErrorContext = {}, language: Language = 'en'): string {
  const fill = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(context[name] ?? '—');
      return name === 'issue' && isIssueKind(value) ? fill(ISSUES[value][language]) : value;
    });
  return fill(ERRORS[code][language]);
}

/**
 * An error meant for the caller: its code decides status and sentence, `context` fills the sentence and is
 * returned, `cause` goes to the log only. Never put a secret in the context.
 */
export class KervanError extends Error {
  readonly code: ErrorCode;
  readonly context: ErrorContext;

  constructor(code: ErrorCode, context: ErrorContext = {}, options?: ErrorOptions) {
    super(errorMessage(code, context), options);
    this.name = 'KervanError';
    this.code = code;
    this.context = context;
  }
}

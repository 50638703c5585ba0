import { errorMessage, type BotLog } from '@kervan/contract';

type Words = Pick<BotLog, 'level' | 'message'> & { readonly data: object };

const TRADE_ID = '01a1fb91-f04e-7e0b-bc41-ca7588f0ac45';
const TRANSACTION = '5'.repeat(88);

/** The `n`th line of a busy bot: a plan, then mostly a trade, sometimes what stood in its way. */
export function logLine(botId: string, n: number): BotLog {
  const { level, message, data } = wordsOf(n);
  return {
    id: String(n),
    bot_id: botId,
    created_at: new Date().toISOString(),
    level,
    message,
    data: JSON.stringify(data),
  };
}

export function isTrade(n: number): boolean {
  return wordsOf(n).level === 'success';
}

function wordsOf(n: number): Words {
  const amount = `0.${String(100_000_000 + n).slice(1)}`;
  if (n % 2 === 0) {
    return {
      level: 'info',
      message: `Run ${n}: buying for ${amount} SOL.`,
      data: { code: 'RUN_PLANNED', run: n, action: 'buy', amount, symbol: 'SOL', tradeId: TRADE_ID },
    };
  }
  if (n % 20 === 7) {
    const reason = 'SLIPPAGE_EXCEEDED';
    return {
      level: 'error',
      message: `Trade failed: ${errorMessage(reason)}`,
      data: { code: 'TRADE_FAILED', reason, action: 'buy', tradeId: TRADE_ID, transactionHash: TRANSACTION },
    };
  }
  if (n % 20 === 13) {
    const reason = 'NETWORK_UNAVAILABLE';
    const context = { chain: 'solana', network: 'sandbox' } as const;
    return {
      level: 'warning',
      message: `Could not trade: ${errorMessage(reason, context)}`,
      data: { ...context, code: 'COULD_NOT_TRADE', reason, run: n },
    };
  }
  return {
    level: 'success',
    message: `Bought 123.456789 CAMEL for ${amount} SOL.`,
    data: {
      code: 'TRADE_SUCCESS',
      action: 'buy',
      amountSol: amount,
      amountTokens: '123.456789',
      nativeSymbol: 'SOL',
      tokenSymbol: 'CAMEL',
      price: '0.000123456789012345',
      transactionHash: TRANSACTION,
      tradeId: TRADE_ID,
    },
  };
}

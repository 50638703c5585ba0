import type { ErrorCode } from '@kervan/contract';

export interface CatalogueEntry {
  /** What section 8 of the specification asks for. */
  readonly entry: string;
  /** The codes that stand for it, with the sentence where the specification fixes one. */
  readonly codes?: Partial<Record<ErrorCode, string>>;
  /** The web app's own texts for it, by namespace and key, with what the specification fixes. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Where it is shown: a file from the repository's root, and the name of a test in it. */
  readonly shownBy: readonly (readonly [file: string, test: string])[];
}

const web = (name: string) => `apps/web/src/${name}.test.ts`;
const browser = (name: string) => `e2e/web/${name}.test.ts`;

const BOT_REFUSALS = 'a bot that can not be started, deleted or changed says so and stays as it was';
const EVERY_SCREEN = 'every screen can be used by everybody: $device, $language, $scheme';

/** What section 8 of the specification asks of the web app. */
export const webCatalogue: readonly CatalogueEntry[] = [
  {
    entry: 'any 401 removes token and user, is told to the other tabs, and begins the session anew',
    shownBy: [
      [web('lib/api'), 'any 401 ends the session'],
      [browser('session'), 'a call that is answered with 401 signs out too'],
      [browser('session'), 'signing out in one tab signs out in the other'],
    ],
  },
  {
    entry: 'the answer’s own message comes first; every failure without one has a sentence too',
    shownBy: [
      [web('lib/send'), 'a refusal carries code, context and request id'],
      [web('lib/api-error'), '%s has a sentence in both languages'],
      [web('lib/api-error'), 'a code that this build does not know shows the server’s own words'],
      [web('lib/api-error'), 'what fails before an answer has a sentence too'],
      [web('lib/api-error'), 'an error that is no answer shows nothing of itself'],
    ],
  },
  {
    entry: 'a logout that fails clears the session all the same, and so does a refresh that fails',
    shownBy: [
      [web('lib/session'), 'logout clears at once, even if the call fails'],
      [web('lib/session'), 'a failed refresh at the start clears everything'],
      [web('lib/session'), 'a refused refresh ends the session, a server that is away does not'],
    ],
  },
  {
    entry: 'sign-in and wallet create: the server’s message in the modal',
    shownBy: [
      [browser('messages'), 'sign-in'],
      [browser('messages'), 'Solana wallet'],
      [browser('messages'), 'BSC wallet'],
    ],
  },
  {
    entry: 'wallet delete: an alert with the reason; wallet history: says that it can’t be fetched',
    texts: { 'wallets:delete_failed': 'Failed to delete wallet' },
    shownBy: [
      [
        browser('failures'),
        'wallets and histories that can not be fetched say so, and a wallet that can not be deleted stays',
      ],
    ],
  },
  {
    entry: 'bot create, update, start, stop and delete: alerts with the reason',
    texts: {
      'bots:failed.create': 'Failed to create bot: {{reason}}',
      'bots:failed.update': 'Failed to update bot: {{reason}}',
      'bots:failed.start': 'Failed to start bot: {{reason}}',
      'bots:failed.stop': 'Failed to stop bot: {{reason}}',
      'bots:failed.delete': 'Failed to delete bot: {{reason}}',
    },
    shownBy: [
      [browser('failures'), BOT_REFUSALS],
      [browser('failures'), 'a bot that can not be stopped says so and stays active'],
    ],
  },
  {
    entry: 'start and stop failures stand in the console as errors too',
    texts: {
      'console:log.start_failed': 'Failed to start bot: {{reason}}',
      'console:log.stop_failed': 'Failed to stop bot: {{reason}}',
    },
    shownBy: [[browser('failures'), BOT_REFUSALS]],
  },
  {
    entry: 'token lookup: failed, or invalid by its name',
    texts: {
      'token:failed': 'Failed to fetch token information. {{reason}}',
      'token:invalid': 'Invalid token address: {{name}}',
      'token:invalid_address': 'Invalid Address',
      'token:not_found': 'Token Not Found',
    },
    shownBy: [
      [
        browser('failures'),
        'a token that can not be looked up is not called invalid, and one with risks warns of them',
      ],
      [browser('messages'), 'Solana bot'],
    ],
  },
  {
    entry: 'a balance that can’t be fetched is shown as unknown, never as an invented number',
    shownBy: [
      [
        web('features/wallets/wallet-view'),
        'a balance that is not known makes the total unknown, not smaller',
      ],
      [web('lib/format'), 'what is not known is a dash and never zero'],
    ],
  },
  {
    entry: 'rate limiting: three retries from a second on, doubling, with jitter, then the fixed sentence',
    shownBy: [
      [web('lib/query'), 'too many requests are tried three times more, each wait doubling, with jitter'],
      [web('features/fast-swap/swap-run'), 'gives way to a rate limit three times and then says so'],
    ],
  },
  {
    entry: 'fast swap: toasts of failed batches, of mixed results, and of what was refused',
    texts: {
      'fastswap:toast.bsc_success_other': 'BSC Fast swap completed successfully: {{count}} transactions',
      'fastswap:toast.bsc_mixed': 'Completed with mixed results: {{traded}} successful, {{failed}} failed',
      'fastswap:toast.bsc_none': 'No transactions were completed successfully',
      'fastswap:toast.bsc_failed': 'BSC Fast swap failed: {{message}}',
    },
    shownBy: [
      [web('features/fast-swap/swap-run'), 'goes on with its other batches when the server refuses one'],
      [
        web('features/fast-swap/swap-toasts'),
        'a BSC swap is told of in the words of the specification, for four seconds',
      ],
      [
        web('features/fast-swap/swap-toasts'),
        'a Solana batch that is refused is told of by its number, one that failed in part by how many',
      ],
    ],
  },
  {
    entry: 'bot trades: a toast for each, with its amount or its reason',
    texts: {
      'shell:toast.success': '{{chain}} Bot Trade Successful',
      'shell:toast.failed': '{{chain}} Bot Trade Failed',
      'shell:toast.failed_body': 'failed to {{action}}: {{error}}',
      'shell:toast.unknown_error': 'Unknown error',
    },
    shownBy: [
      [
        browser('journey'),
        'a person trades with bots on both chains, by hand and on schedule: $device, $language',
      ],
      [web('lib/trade-failure'), 'a failed trade’s reason is told in %s, from its code'],
      [web('lib/trade-failure'), 'a trade without a reason has none'],
    ],
  },
  {
    entry: 'volume maker: what could not be started or stopped, in a red box; the state is kept',
    texts: {
      'volume:failed.start.solana': 'Failed to start volume making',
      'volume:failed.stop.solana': 'Failed to stop volume making',
      'volume:failed.start.bsc': 'Failed to start BSC volume making',
      'volume:failed.stop.bsc': 'Failed to stop BSC volume making',
      'volume:error_unknown': 'An error occurred',
    },
    shownBy: [[browser('screens'), EVERY_SCREEN]],
  },
  {
    entry: 'settings: what could not be saved, at the field that is wrong',
    texts: { 'settings:errorSaving': 'The settings could not be saved: {{reason}}' },
    shownBy: [
      [
        browser('settings'),
        'a node of another network is refused at its field, and nothing that was typed is lost',
      ],
    ],
  },
  {
    entry: 'enterprise logs that can’t be fetched leave the list unchanged',
    shownBy: [[browser('records'), 'logs that can not be fetched leave the list as it is']],
  },
  {
    entry: 'the migration of old data is logged, whether it fails or not',
    shownBy: [
      [
        web('lib/legacy-data'),
        'wallets and bots of an earlier version gain what they lack and keep what they have',
      ],
      [web('lib/legacy-data'), 'what can’t be read is logged and left as it is'],
    ],
  },
  {
    entry: 'a socket that can’t connect shows as a connection that is not there',
    shownBy: [
      [browser('connection'), 'a connection that is lost shows, and nothing stale is left when it is back'],
    ],
  },
  {
    entry: 'a date that can’t be read shows Unknown',
    texts: { 'common:unknown': 'Unknown' },
    shownBy: [[web('lib/format'), 'a text that is no date has no format']],
  },
  {
    entry: 'empty states',
    texts: {
      'history:empty': 'No records found',
      'enterprise:empty': 'No trade logs found',
      'fastswap:no_balance': 'No wallets with balance',
    },
    shownBy: [
      [browser('screens'), EVERY_SCREEN],
      [browser('messages'), 'a bot needs a wallet first'],
      [
        browser('records'),
        'the logs are filtered from page 1 on, paged, and saved as the page or as all of it',
      ],
    ],
  },
  {
    entry: 'the context outside its provider is an error',
    shownBy: [[web('lib/services'), 'what needs the services outside their provider is an error']],
  },
];

import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import type { Address } from '../addresses.ts';
import type { StoredAccount } from '../runtime.ts';
import { token2022Program, uiTokenAmount, viewTokenAccount } from '../token-index.ts';
import { encodeAccount } from './account-encoding.ts';
import {
  addressListParam,
  addressParam,
  bytesParam,
  configParam,
  integerParam,
  listParam,
  type RpcConfig,
} from './params.ts';
import { invalidParams } from './rpc-error.ts';
import { withContext, type RpcContext, type RpcMethods } from './rpc-context.ts';

/** Methods that read accounts. All read the newest state, whatever commitment is asked for. */
export function accountMethods({ chain }: RpcContext): RpcMethods {
  const { runtime, tokens } = chain;

  function encoded(address: Address, config: RpcConfig): unknown {
    const account = runtime.account(address);
    return account ? encodeAccount(account, config, tokens) : null;
  }

  return {
    getBalance: ([address]) => withContext(chain, runtime.balance(addressParam(address))),
    getAccountInfo: ([address, config]) =>
      withContext(chain, encoded(addressParam(address), configParam(config))),
    getMultipleAccounts: ([addresses, config]) =>
      withContext(
        chain,
        addressListParam(addresses, 100).map((address) => encoded(address, configParam(config))),
      ),
    getTokenAccountsByOwner([owner, filter, config]) {
      const { mint, programId } = configParam(filter);
      if (mint === undefined && programId === undefined)
        throw invalidParams('Invalid params: no mint or programId');
      if (mint !== undefined && !runtime.account(addressParam(mint))) {
        throw invalidParams('Invalid param: could not find mint');
      }
      if (programId !== undefined && programId !== TOKEN_PROGRAM_ADDRESS && programId !== token2022Program) {
        throw invalidParams('Invalid param: unrecognized Token program id');
      }
      const found = tokens.accountsOf(addressParam(owner)).flatMap((pubkey) => {
        const account = runtime.account(pubkey);
        const view = account && viewTokenAccount(account);
        if (!view || (mint !== undefined && view.mint !== mint)) return [];
        if (programId !== undefined && view.programId !== programId) return [];
        return [{ pubkey, account: encodeAccount(account, configParam(config), tokens) }];
      });
      return withContext(chain, found);
    },
    getTokenAccountBalance([address]) {
      const account = runtime.account(addressParam(address));
      if (!account) throw invalidParams('Invalid param: could not find account');
      const view = viewTokenAccount(account);
      if (!view) throw invalidParams('Invalid param: not a Token account');
      return withContext(chain, uiTokenAmount(view.amount, tokens.decimals(view.mint)));
    },
    getTokenSupply([mint]) {
      const address = addressParam(mint);
      const account = runtime.account(address);
      if (!account) throw invalidParams('Invalid param: could not find mint');
      if (account.data.length < 82 || viewTokenAccount(account))
        throw invalidParams('Invalid param: not a Token mint');
      const supply = Buffer.from(account.data).readBigUInt64LE(36);
      return withContext(chain, uiTokenAmount(supply, tokens.decimals(address)));
    },
    getProgramAccounts([program, config]) {
      const options = configParam(config);
      const { filters } = options;
      const conditions =
        filters === undefined || filters === null ? [] : listParam(filters, 4).map(accountFilter);
      const found = runtime
        .programAccounts(addressParam(program))
        .filter(({ account }) => conditions.every((matches) => matches(account)))
        .map(({ address, account }) => ({
          pubkey: address,
          account: encodeAccount(account, options, tokens),
        }));
      return options['withContext'] === true ? withContext(chain, found) : found;
    },
  };
}

function accountFilter(value: unknown): (account: StoredAccount) => boolean {
  const { dataSize, memcmp } = configParam(value);
  if (dataSize !== undefined) {
    const size = integerParam(dataSize, 'dataSize');
    return (account) => account.data.length === size;
  }
  const { offset, bytes, encoding } = configParam(memcmp);
  const start = integerParam(offset, 'memcmp.offset');
  const expected = bytesParam(bytes, encoding ?? 'base58');
  return ({ data }) => Buffer.compare(data.subarray(start, start + expected.length), expected) === 0;
}

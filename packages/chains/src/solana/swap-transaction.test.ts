import { getTransferSolInstruction } from '@solana-program/system';
import {
  address,
  appendTransactionMessageInstruction,
  blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Address,
} from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { createKey } from './keys.ts';
import { encodeMessage, readSwapMessage, signSwapMessage } from './swap-transaction.ts';

const lifetime = {
  blockhash: blockhash('EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N'),
  lastValidBlockHeight: 9n,
};

const ours = blockhash('8J1GVYqjwT4Jo7P2mQeP6rcpfXqvQV7DUTGqDJ4Lq2Zx');

function transferWire(payer: Address, source: Address, version: 0 | 1 = 0): Uint8Array {
  const message = pipe(
    createTransactionMessage({ version }),
    (m) => setTransactionMessageFeePayer(payer, m),
    (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
    (m) =>
      appendTransactionMessageInstruction(
        getTransferSolInstruction({ source: createNoopSigner(source), destination: source, amount: 1n }),
        m,
      ),
  );
  return Uint8Array.from(getTransactionEncoder().encode(compileTransaction(message)));
}

describe('swap transactions', () => {
  const key = createKey();
  const owner = address(key.address);
  const other = address(createKey().address);

  it('signs into the wire form that kit reads, under an id known before sending', () => {
    const message = encodeMessage(readSwapMessage(transferWire(owner, owner), owner), ours);
    const signed = signSwapMessage(message, owner, key.secret);
    const transaction = getTransactionDecoder().decode(signed.bytes);
    expect(getSignatureFromTransaction(transaction)).toBe(signed.txId);
    expect(Uint8Array.from(transaction.messageBytes)).toEqual(message);
  });

  it('carries our own blockhash, whatever the composer put in, and nothing else is changed', () => {
    const decode = getCompiledTransactionMessageDecoder().decode;
    const theirs = decode(getTransactionDecoder().decode(transferWire(owner, owner)).messageBytes);
    const message = decode(encodeMessage(readSwapMessage(transferWire(owner, owner), owner), ours));
    expect(message).toEqual({ ...theirs, lifetimeToken: ours });
    expect(theirs.lifetimeToken).toBe(lifetime.blockhash);
  });

  it('refuses a transaction that somebody else pays for or has to sign', () => {
    expect(() => readSwapMessage(transferWire(other, other), owner)).toThrow(/fee payer/);
    expect(() => readSwapMessage(transferWire(owner, other), owner)).toThrow(/another signature/);
    expect(() => readSwapMessage(new Uint8Array([1, 2, 3]), owner)).toThrow(/bytes/);
  });

  it('refuses a version that says in other places what it pays', () => {
    expect(() => readSwapMessage(transferWire(owner, owner, 1), owner)).toThrow(/version/);
  });

  it('refuses to sign with another wallet’s key', () => {
    const message = encodeMessage(readSwapMessage(transferWire(owner, owner), owner), ours);
    expect(() => signSwapMessage(message, other, key.secret)).toThrow(/not the key/);
  });
});

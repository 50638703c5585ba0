import type { FastifyInstance } from 'fastify';
import { KervanError } from '@kervan/contract';
import { isLoopback } from '../config.ts';

/** Whether this server answers a request with the given Host header. */
export type HostRule = (header: string | undefined) => boolean;

/**
 * Against DNS rebinding: a page of another site that makes its own name point to this machine becomes same-origin
 * with this server in the browser's eyes, but its requests carry that name. A server on loopback answers under the
 * names of loopback and those in KERVAN_HOSTS; one on another address under any name, unless KERVAN_HOSTS is set.
 */
export function createHostRule({ host, hosts }: { host: string; hosts: readonly string[] }): HostRule {
  if (!isLoopback(host) && hosts.length === 0) return () => true;
  const listed = new Set(hosts);
  return (header) => {
    const name = hostName(header ?? '');
    // A name of loopback leads to the caller's own machine, whoever the caller is.
    return name !== undefined && (isLoopback(name) || listed.has(name));
  };
}

/** `Example.com:3001` → `example.com`, `[::1]:3001` → `::1`; undefined for what is no host. */
function hostName(header: string): string | undefined {
  const [, bracketed, name] = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::\d{1,5})?$/i.exec(header) ?? [];
  return (bracketed ?? name)?.toLowerCase();
}

/** Refuses other names before anything else is looked at. */
export function addHostCheck(app: FastifyInstance, isHostAllowed: HostRule): void {
  app.addHook('onRequest', async ({ headers }) => {
    if (!isHostAllowed(headers.host)) throw new KervanError('HOST_NOT_ALLOWED');
  });
}

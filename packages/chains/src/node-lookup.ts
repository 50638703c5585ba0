import dns from 'node:dns';
import { BlockList, type LookupFunction } from 'node:net';

/** Where clouds answer a machine's questions about itself, secrets included; no node is there. */
const linkLocal = new BlockList();
linkLocal.addSubnet('169.254.0.0', 16, 'ipv4');
linkLocal.addSubnet('fe80::', 10, 'ipv6');

/** Resolves a node's name as usual, but not one that leads to a link-local address. Addresses are not looked up. */
export const lookupNode: LookupFunction = (hostname, options, callback) => {
  dns.lookup(hostname, { ...options, all: true }, (error, found) => {
    const [first] = found ?? [];
    if (error || first === undefined) callback(error ?? new Error('The node’s name leads nowhere'), '');
    else if (found.some(isLinkLocal))
      callback(new Error('The node’s name leads to a link-local address'), '');
    else if (options.all) callback(null, found);
    else callback(null, first.address, first.family);
  });
};

function isLinkLocal({ address, family }: dns.LookupAddress): boolean {
  return linkLocal.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

import { BlockList, isIP } from 'node:net';
import { groupsOf } from '#backend/supabase/functions/_shared/requests.ts';

/** Whether somebody at an address speaks for others, and is believed. */
export type IsProxy = (address: string) => boolean;

/**
 * Stands for everyone whose address nobody knows: a proxy that doesn't name its clients. Limits that
 * count by address don't count it, since it would be one visitor who locks out all others.
 */
export const UNKNOWN_ADDRESS = 'unknown';

/**
 * The proxies of the setting TRUSTED_PROXIES.
 * @param trusted addresses, `127.0.0.1`, and networks, `10.1.0.0/16`
 */
export function proxies(trusted: readonly string[] = []): IsProxy {
  const list = new BlockList();
  for (const each of trusted) {
    const [address = '', bits] = each.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** How clients are told apart. */
export interface AddressRules {
  isProxy: IsProxy;
  /** Whether people use another name than this machine's: then any caller from it is a proxy. */
  isPublic: boolean;
}

/**
 * Who is asking, for limits: the socket's other end. Where that is a proxy of the settings, it names
 * its client last in `x-forwarded-for`, who may be the next proxy; nobody else is believed.
 * @returns an IPv4 address, the 64-bit network of an IPv6 one, which is what one client has, or
 * UNKNOWN_ADDRESS.
 */
export function clientAddress(
  request: Request,
  remoteAddress: string,
  { isProxy, isPublic }: AddressRules,
): string {
  const named = request.headers.get('x-forwarded-for')?.split(',') ?? [];
  let address = remoteAddress;
  while (isProxy(address)) {
    const before = named.pop()?.trim() ?? '';
    if (!isIP(before)) return UNKNOWN_ADDRESS;
    address = before;
  }
  if (isPublic && isLoopbackAddress(address)) return UNKNOWN_ADDRESS;
  return network(address);
}

function network(address: string): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (mapped) return mapped;
  if (isIP(address) !== 6) return address;
  return `${groupsOf(address.split('%')[0] ?? '')
    .slice(0, 4)
    .join(':')}::`;
}

/** Whether a socket's other end is this machine. */
export function isLoopbackAddress(address: string): boolean {
  return /^(::ffff:)?127(\.\d+){3}$|^::1$/.test(address);
}

const FORWARDING =
  /^(x-forwarded-.+|forwarded|x-real-ip|cf-connecting-ip|true-client-ip|fly-client-ip|via)$/;

/**
 * A header by which a proxy gives itself away, or undefined.
 * @param names of a request's headers, in lower case.
 */
export function forwardingHeader(names: Iterable<string>): string | undefined {
  return [...names].find((name) => FORWARDING.test(name));
}

/** Whether a host name always means this machine; an IPv6 address may have the brackets of a URL. */
export function isLoopbackName(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|::1|\[::1\])$/i.test(host);
}

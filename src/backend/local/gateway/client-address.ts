import { BlockList, isIP } from 'node:net';
import { groupsOf } from '#backend/supabase/functions/_shared/requests.ts';

/**
 * Address of all clients behind a proxy that doesn't name them. Rate limits by address skip it, or
 * one client could lock out all the others.
 */
export const UNKNOWN_ADDRESS = 'unknown';

/**
 * Finds a client's address for rate limits: the socket's remote address or, if that's a trusted
 * proxy, the last one in its `x-forwarded-for`, which may be another trusted proxy, and so on.
 * @param trusted the setting TRUSTED_PROXIES: addresses, and networks such as `10.1.0.0/16`.
 * @param isPublic whether people reach the site by a name other than localhost: then a caller on
 * this machine must be a proxy.
 * @returns an IPv4 address, the /64 network of an IPv6 address (one client has a whole network), or
 * UNKNOWN_ADDRESS.
 */
export function createAddressOf(trusted: readonly string[] = [], isPublic = false) {
  const proxies = new BlockList();
  const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
  for (const each of trusted) {
    const [address = '', bits] = each.split('/');
    if (bits === undefined) proxies.addAddress(address, familyOf(address));
    else proxies.addSubnet(address, Number(bits), familyOf(address));
  }
  return (request: Request, remoteAddress: string): string => {
    const named = request.headers.get('x-forwarded-for')?.split(',') ?? [];
    let address = remoteAddress;
    while (proxies.check(address, familyOf(address))) {
      address = named.pop()?.trim() ?? '';
      if (!isIP(address)) return UNKNOWN_ADDRESS;
    }
    return isPublic && isLoopbackAddress(address) ? UNKNOWN_ADDRESS : network(address);
  };
}

function network(address: string): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (mapped) return mapped;
  if (isIP(address) !== 6) return address;
  return `${groupsOf(address.split('%')[0] ?? '')
    .slice(0, 4)
    .join(':')}::`;
}

export function isLoopbackAddress(address: string): boolean {
  return /^(::ffff:)?127(\.\d+){3}$|^::1$/.test(address);
}

const FORWARDING =
  /^(x-forwarded-.+|forwarded|x-real-ip|cf-connecting-ip|true-client-ip|fly-client-ip|via)$/;

/** The first header among `names` (in lowercase) that only a proxy adds. */
export function forwardingHeader(names: Iterable<string>): string | undefined {
  return [...names].find((name) => FORWARDING.test(name));
}

/** Whether a host name always means this machine; an IPv6 address may have a URL's brackets. */
export function isLoopbackName(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|::1|\[::1\])$/i.test(host);
}

import { BlockList, isIP } from 'node:net';
import { groupsOf } from '#backend/supabase/functions/_shared/requests.ts';

/**
 * Clients of a proxy that doesn't name them. Limits by address leave them out, or one could lock
 * out all.
 */
export const UNKNOWN_ADDRESS = 'unknown';

/**
 * Who sends a request, for limits: the socket's other end. Where that is a trusted proxy, it names its client
 * last in `x-forwarded-for`, who may be the next proxy; others aren't believed.
 * @param trusted proxies of the setting TRUSTED_PROXIES: addresses, and networks such as `10.1.0.0/16`.
 * @param isPublic whether people use another name than this machine's: then any caller from it is a proxy.
 * @returns an IPv4 address, the 64-bit network of an IPv6 one, which is what one client has, or
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

/** The header among `names` (in lowercase) that shows there's a proxy. */
export function forwardingHeader(names: Iterable<string>): string | undefined {
  return [...names].find((name) => FORWARDING.test(name));
}

/** Whether a host name always means this machine; an IPv6 address may have the brackets of a URL. */
export function isLoopbackName(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|::1|\[::1\])$/i.test(host);
}

/** What can only be reached from this machine, by the address of a socket and by the name in a URL. */

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

/** Whether a host name, as a URL has it, always means this machine. */
export function isLoopbackName(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

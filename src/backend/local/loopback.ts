/** What can only be reached from this machine, by the address of a socket and by the name in a URL. */

/** Whether a socket's other end is this machine. */
export function isLoopbackAddress(address: string): boolean {
  return /^(::ffff:)?127(\.\d+){3}$|^::1$/.test(address);
}

/** Whether a host name, as a URL has it, always means this machine. */
export function isLoopbackName(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/**
 * Whether a host name or IP address (an IPv6 address may have its URL brackets) is only reachable
 * from this machine.
 */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  return bare === 'localhost' || bare === '::1' || /^127(\.\d{1,3}){3}$/.test(bare);
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;

/** Whether a socket's other end is this machine. */
export function isLoopback(address: string): boolean {
  return LOOPBACK.test(address);
}

/**
 * Who is asking, for limits: the socket's other end. Behind a proxy on this machine that is the
 * proxy, which names its client last in `x-forwarded-for`; nobody else is believed.
 */
export function clientAddress(request: Request, remoteAddress: string): string {
  if (!isLoopback(remoteAddress)) return remoteAddress;
  const forwarded = request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim();
  return forwarded && /^[\d.a-f:]{2,45}$/i.test(forwarded) ? forwarded : remoteAddress;
}

import { expect, test } from 'vitest';
import { createAddressOf, UNKNOWN_ADDRESS } from '#backend/local/gateway/client-address.ts';

const LOCAL = ['127.0.0.1', '::1'];
const SEVERAL = ['127.0.0.1', '10.0.0.5', '10.1.0.0/16', '2001:db8:5::/48'];
const CLIENT = '198.51.100.1';

test.each<[string, string, string | undefined, string[], string]>([
  // Callers can't get around a limit by sending another address.
  ['a caller who names another', '192.0.2.7', CLIENT, [], '192.0.2.7'],
  ['the same by IPv6', '::ffff:192.0.2.7', CLIENT, [], '192.0.2.7'],
  ['a program of this machine', '127.0.0.1', CLIENT, [], '127.0.0.1'],
  ['the same by IPv6 alone', '::1', CLIENT, [], '0:0:0:0::'],
  ['a proxy on this machine', '127.0.0.1', `10.9.8.7, ${CLIENT}`, LOCAL, CLIENT],
  ['the same, by IPv6', '::ffff:127.0.0.1', CLIENT, LOCAL, CLIENT],
  ['a proxy elsewhere', '10.0.0.5', CLIENT, SEVERAL, CLIENT],
  ['a proxy in a network', '::ffff:10.1.9.9', CLIENT, SEVERAL, CLIENT],
  ['a proxy in a network of IPv6', '2001:db8:5::1', CLIENT, SEVERAL, CLIENT],
  // The entries before the proxy's own come from the client, so they prove nothing.
  ['a client of a proxy', '10.0.0.5', `203.0.113.9, ${CLIENT}`, SEVERAL, CLIENT],
  ['one proxy behind the other', '127.0.0.1', `203.0.113.9, ${CLIENT}, 10.1.0.7`, SEVERAL, CLIENT],
  ['a proxy that is not named', '10.0.0.6', CLIENT, SEVERAL, '10.0.0.6'],
  ['a proxy beside the network', '10.2.0.1', CLIENT, SEVERAL, '10.2.0.1'],
  ['a caller without an address', '', CLIENT, SEVERAL, ''],
  // An IPv6 client counts as its whole /64 network, however the address is written.
  ['a client of IPv6', '2001:db8:1:2:3:4:5:6', undefined, [], '2001:db8:1:2::'],
  ['the same, shorter', '2001:DB8:1:2::9', undefined, [], '2001:db8:1:2::'],
  ['an address with a zone', 'fe80::1%eth0', undefined, [], 'fe80:0:0:0::'],
])('Limits know %s by their address', (_who, remote, forwarded, trusted, address) => {
  expect(addressOf(remote, forwarded, trusted)).toBe(address);
});

function addressOf(remote: string, forwarded?: string, trusted: string[] = [], isPublic = false) {
  const headers: Record<string, string> = forwarded ? { 'x-forwarded-for': forwarded } : {};
  const request = new Request('http://127.0.0.1', { headers });
  return createAddressOf(trusted, isPublic)(request, remote);
}

test.each([undefined, 'unknown', 'not an address', `${CLIENT},`])(
  'Behind a proxy that names nobody, everyone is unknown: %s',
  (forwarded) => {
    expect(addressOf('127.0.0.1', forwarded, SEVERAL)).toBe(UNKNOWN_ADDRESS);
    expect(addressOf('10.0.0.5', forwarded, SEVERAL)).toBe(UNKNOWN_ADDRESS);
    // If the site has a public name, a caller on this machine is a proxy missing from the settings.
    expect(addressOf('127.0.0.1', forwarded, [], true)).toBe(UNKNOWN_ADDRESS);
  },
);

test('With a public name, a caller from elsewhere is still known', () => {
  expect(addressOf('127.0.0.1', CLIENT, [], true)).toBe(UNKNOWN_ADDRESS);
  expect(addressOf('192.0.2.7', CLIENT, [], true)).toBe('192.0.2.7');
});

import { expect, test } from 'vitest';
import { clientAddress, proxies, UNKNOWN_ADDRESS } from '#backend/local/gateway/client-address.ts';

const from = (remote: string, forwarded?: string, isProxy = proxies(), isPublic = false) =>
  clientAddress(
    new Request('http://127.0.0.1', forwarded ? { headers: { 'x-forwarded-for': forwarded } } : {}),
    remote,
    { isProxy, isPublic },
  );

test('Nobody escapes a limit by naming another address', () => {
  expect(from('192.0.2.7', '198.51.100.1')).toBe('192.0.2.7');
  expect(from('::ffff:192.0.2.7', '198.51.100.1')).toBe('192.0.2.7');
});

test('A proxy on this machine is believed where the settings name it, like any other', () => {
  expect(from('127.0.0.1', '198.51.100.1')).toBe('127.0.0.1');
  expect(from('::1', '198.51.100.1')).toBe('0:0:0:0::');
  const local = proxies(['127.0.0.1', '::1']);
  expect(from('127.0.0.1', '10.9.8.7, 198.51.100.1', local)).toBe('198.51.100.1');
  expect(from('::ffff:127.0.0.1', '198.51.100.1', local)).toBe('198.51.100.1');
});

test('Behind a proxy that names nobody, everyone is unknown', () => {
  const trusted = proxies(['127.0.0.1', '10.0.0.5']);
  for (const forwarded of [undefined, 'unknown', 'not an address', '198.51.100.1,']) {
    expect(from('127.0.0.1', forwarded, trusted)).toBe(UNKNOWN_ADDRESS);
    expect(from('10.0.0.5', forwarded, trusted)).toBe(UNKNOWN_ADDRESS);
    // With a public name, a caller from this machine is a proxy that the settings don't name.
    expect(from('127.0.0.1', forwarded, proxies(), true)).toBe(UNKNOWN_ADDRESS);
  }
  expect(from('127.0.0.1', '198.51.100.1', proxies(), true)).toBe(UNKNOWN_ADDRESS);
  expect(from('192.0.2.7', '198.51.100.1', proxies(), true)).toBe('192.0.2.7');
});

test('A proxy on another machine is believed where the settings name it, and no further', () => {
  const isProxy = proxies(['127.0.0.1', '10.0.0.5', '10.1.0.0/16', '2001:db8:5::/48']);
  const behind = (remote: string, forwarded?: string) => from(remote, forwarded, isProxy);
  expect(behind('10.0.0.5', '198.51.100.1')).toBe('198.51.100.1');
  expect(behind('::ffff:10.1.9.9', '198.51.100.1')).toBe('198.51.100.1');
  expect(behind('2001:db8:5::1', '198.51.100.1')).toBe('198.51.100.1');
  // What its client wrote there before it is only the client's word.
  expect(behind('10.0.0.5', '203.0.113.9, 198.51.100.1')).toBe('198.51.100.1');
  // One proxy behind the other.
  expect(behind('127.0.0.1', '203.0.113.9, 198.51.100.1, 10.1.0.7')).toBe('198.51.100.1');
  expect(behind('10.0.0.6', '198.51.100.1')).toBe('10.0.0.6');
  expect(behind('10.2.0.1', '198.51.100.1')).toBe('10.2.0.1');
  expect(behind('', '198.51.100.1')).toBe('');
});

test('One client has a whole IPv6 network, however it is written', () => {
  expect(from('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::');
  expect(from('2001:DB8:1:2::9')).toBe('2001:db8:1:2::');
  expect(from('fe80::1%eth0')).toBe('fe80:0:0:0::');
});

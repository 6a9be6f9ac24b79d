import { expect, test } from 'vitest';
import { clientAddress } from '#backend/local/client-address.ts';

const from = (remote: string, forwarded?: string) =>
  clientAddress(
    new Request('http://127.0.0.1', forwarded ? { headers: { 'x-forwarded-for': forwarded } } : {}),
    remote,
  );

test('Nobody escapes a limit by naming another address', () => {
  expect(from('192.0.2.7', '198.51.100.1')).toBe('192.0.2.7');
  expect(from('::ffff:192.0.2.7', '198.51.100.1')).toBe('192.0.2.7');
});

test('A proxy on this machine names its client last', () => {
  expect(from('127.0.0.1', '10.9.8.7, 198.51.100.1')).toBe('198.51.100.1');
  expect(from('::1', 'unknown')).toBe('0:0:0:0::');
  expect(from('127.0.0.1', 'not an address')).toBe('127.0.0.1');
});

test('One client has a whole IPv6 network, however it is written', () => {
  expect(from('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::');
  expect(from('2001:DB8:1:2::9')).toBe('2001:db8:1:2::');
  expect(from('fe80::1%eth0')).toBe('fe80:0:0:0::');
});

import { describe, expect, test } from 'vitest';
import { strengthOf } from '#features/account/password-strength.ts';

describe('The hint beside a new password', () => {
  test.each([
    ['', 'empty'],
    ['short', 'short'],
    ['ninechars', 'short'],
    ['aaaaaaaaaaaa', 'weak'],
    ['rosamarsh2026', 'weak'],
    ['plumharbor', 'fair'],
    ['plum-harbor-lantern', 'strong'],
    ['Plum7harbor!', 'strong'],
    ['🌱🌿🌳🍀🌾', 'short'],
  ])('A person who typed “%s” reads that it is %s', (password, strength) => {
    expect(strengthOf(password, 'rosamarsh@example.com').strength).toBe(strength);
  });

  test('It counts what is missing', () => {
    expect(strengthOf('sevenxx', '').words).toBe('3 more characters.');
    expect(strengthOf('ninechars', '').words).toBe('One more character.');
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GatewaySite, linkIn, openSite, PASSWORD, SITE } from './gateway-site.ts';

let site: GatewaySite;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

describe('Registering', () => {
  test('An owner registers, confirms from the mail and is signed in', async () => {
    const browser = site.browser();
    const { data, error } = await browser.auth.signUp({
      email: 'Ines@Example.com',
      password: PASSWORD,
      options: {
        data: { full_name: 'Ines Park' },
        emailRedirectTo: `${SITE}/dashboard/skills/quiz?claim=abc`,
      },
    });
    expect(error).toBeNull();
    expect(data.session).toBeNull();

    const link = linkIn(await site.letterTo('ines@example.com'));
    expect(link.origin + link.pathname).toBe(`${SITE}/confirm`);
    expect(link.searchParams.get('type')).toBe('signup');
    expect(link.searchParams.get('next')).toBe('/dashboard/skills/quiz?claim=abc');

    const verified = await browser.auth.verifyOtp({
      token_hash: link.searchParams.get('token_hash') ?? '',
      type: 'signup',
    });
    expect(verified.error).toBeNull();
    expect(verified.data.user).toMatchObject({ email: 'ines@example.com', factors: [] });
    const { data: profile } = await browser.from('profiles').select('full_name').single();
    expect(profile).toEqual({ full_name: 'Ines Park' });
  });
});

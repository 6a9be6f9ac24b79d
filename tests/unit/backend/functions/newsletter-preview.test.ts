import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GatewaySite, openSite } from '../gateway/site.ts';

const PATH = '/functions/v1/newsletter-preview';
const issue = { subject: 'Bread', preview: 'And butter', body: '**Bold** <b>tag</b>' };
let site: GatewaySite;
let ofOwner: Record<string, string>;
let ofAdmin: Record<string, string>;
beforeAll(async () => {
  site = await openSite();
  const owner = await site.person('owner@preview.test');
  const admin = await site.person('admin@preview.test');
  await site.sql`insert into public.staff_roles (user_id, role) values (${admin.id}, 'admin')`;
  ofOwner = await site.headersOf(owner.browser);
  ofAdmin = await site.headersOf(admin.browser);
});
afterAll(() => site.close());

const ask = (headers: Record<string, string>, json: object = issue) =>
  site.ask(PATH, { json, headers });

test('Nobody but an admin gets a preview', async () => {
  expect((await site.ask(PATH, { json: issue })).status).toBe(401);
  const refused = await ask(ofOwner);
  expect(refused.status).toBe(403);
  expect(await refused.json()).toEqual({ message: 'Only an admin can do this.' });
});

test.each([
  ['that isn’t one', {}],
  ['with a text that isn’t one', { ...issue, body: 1 }],
  ['that’s too long', { ...issue, body: 'x'.repeat(200_001) }],
  ['that’s nested too deeply', { ...issue, body: '>'.repeat(30_000) }],
])('An issue %s is refused in words', async (_what, body) => {
  const answer = await ask(ofAdmin, body);
  expect(answer.status).toBe(422);
  expect(await answer.json()).toEqual({ message: expect.stringMatching(/^(We|This) c/) });
});

test('An admin sees the email as it will be, even without a subject', async () => {
  const answer = await ask(ofAdmin);
  expect(answer.status).toBe(200);
  const { html, text } = await answer.json();
  expect(html).toContain('<strong>Bold</strong> &lt;b&gt;tag&lt;/b&gt;');
  expect(html).toContain('>Unsubscribe</a>');
  expect(text).toContain('Bold <b>tag</b>');
  expect((await (await ask(ofAdmin, { ...issue, subject: ' ' })).json()).text).toContain(
    'No subject yet',
  );
});

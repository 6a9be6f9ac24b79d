import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GatewaySite, openSite } from './gateway-site.ts';

let site: GatewaySite;
let owner: SupabaseClient;
let member: SupabaseClient;
let stranger: SupabaseClient;
let memberId: string;
let direct: string;
const BUSINESS = crypto.randomUUID();

beforeAll(async () => {
  site = await openSite();
  const people = [
    await site.person('owner@example.com'),
    await site.person('member@example.com'),
    await site.person('stranger@example.com'),
  ] as const;
  [owner, member, stranger] = [people[0].browser, people[1].browser, people[2].browser];
  memberId = people[1].id;
  await owner.rpc('create_business', { p_id: BUSINESS, p_name: 'Alder Bakery' });
  await site.sql`
    insert into public.business_members (business_id, user_id, role)
    values (${BUSINESS}, ${memberId}, 'member')`;
  const opened = await owner.rpc('open_conversation', {
    p_id: crypto.randomUUID(),
    p_kind: 'direct',
    p_subject: memberId,
  });
  direct = (opened.data as { id: string }).id;
});
afterAll(() => site.close());

const words = new Blob(['What the oven costs'], { type: 'text/plain' });

/** Announces, stores and finishes a file as a browser does. */
async function bring(): Promise<{ id: string; path: string }> {
  const id = crypto.randomUUID();
  const begun = await owner.rpc('begin_message_file', {
    p_id: id,
    p_conversation_id: direct,
    p_name: 'oven.txt',
    p_type: 'text/plain',
    p_size: words.size,
  });
  const { path } = begun.data as { path: string };
  const stored = await owner.storage.from('message-files').upload(path, words);
  expect(stored.error).toBeNull();
  expect((await owner.rpc('finish_message_file', { p_id: id })).error).toBeNull();
  return { id, path };
}

const reads = async (browser: SupabaseClient, path: string) => {
  const { data, error } = await browser.storage.from('message-files').download(path);
  return error ? null : await data.text();
};

test('A file goes to those in the conversation, and to nobody who was or will be there', async () => {
  const { id, path } = await bring();
  expect(await reads(owner, path)).toBe('What the oven costs');
  for (const browser of [member, stranger, site.browser()]) {
    expect(await reads(browser, path)).toBeNull();
  }
  const sent = await owner.rpc('send_message', {
    p_id: crypto.randomUUID(),
    p_conversation_id: direct,
    p_body: 'Look',
    p_files: [id],
  });
  expect(sent.error).toBeNull();
  expect(await reads(member, path)).toBe('What the oven costs');
  const signed = await member.storage.from('message-files').createSignedUrl(path, 60);
  expect(
    await (
      await site.ask(
        new URL(signed.data?.signedUrl ?? '').pathname +
          new URL(signed.data?.signedUrl ?? '').search,
      )
    ).text(),
  ).toBe('What the oven costs');
  for (const browser of [stranger, site.browser()]) {
    expect(await reads(browser, path)).toBeNull();
    const link = await browser.storage.from('message-files').createSignedUrl(path, 60);
    expect(link.error).not.toBeNull();
  }
  // Sent is sent: its sender neither replaces it nor takes it away but with the message.
  await owner.storage.from('message-files').remove([path]);
  const again = await owner.storage.from('message-files').upload(path, words, { upsert: true });
  expect(again.error).not.toBeNull();
  expect(await reads(member, path)).toBe('What the oven costs');

  await owner.rpc('remove_message', { p_id: (sent.data as { id: string }).id });
  expect(await reads(member, path)).toBeNull();
  expect(await reads(owner, path)).toBeNull();
  await site.gateway.runDueJobs('remove_file');
  expect(await site.sql`select from storage.objects where name = ${path}`).toHaveLength(0);
});

test('A file that is not sent is taken away again by its sender alone', async () => {
  const { id, path } = await bring();
  await member.storage.from('message-files').remove([path]);
  expect(await reads(owner, path)).not.toBeNull();
  const taken = await owner.storage.from('message-files').remove([path]);
  expect(taken.error).toBeNull();
  expect((await owner.rpc('remove_message_file', { p_id: id })).error).toBeNull();
  expect(await reads(owner, path)).toBeNull();
});

import { describe, expect, test } from 'vitest';
import { everyone, expectCallers, expectReaders, openWorld } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ask, refusal } = world;
const { admin, visitor, owner } = people;
const id = () => crypto.randomUUID();
const NOT_ADMIN = '42501 Only an admin can do this.';

/** A draft with a text that could be sent. */
async function draft(subject = 'Bread and butter') {
  const issue = id();
  await ask(admin, 'create_newsletter_issue($1)', [issue]);
  await ask(admin, "save_newsletter_issue($1, 1, $2, 'A preview', 'Words.')", [issue, subject]);
  return issue;
}
const send = (issue: string, revision = 2) =>
  ask(admin, 'send_newsletter_issue($1, $2)', [issue, revision]);
const stateOf = async (issue: string) =>
  (await sql`select state from public.newsletter_issues where id = ${issue}`)[0]?.state;
await sql`
  insert into public.contacts (email, newsletter, consent_wording, consented_at)
  select format('reader%s@example.test', n), 'subscribed', 'Yes', now() from generate_series(1, 3) n`;

describe('Who may', () => {
  test('Nobody reads or writes issues but through procedures', async () => {
    await draft();
    const nobody = '42501 permission denied for table newsletter_issues';
    await expectReaders(world, 'newsletter_issues', 'id', everyone(nobody));
  });

  test('Only admins write, test, send, stop and delete issues', async () => {
    const issue = await draft();
    for (const call of [
      `create_newsletter_issue('${id()}')`,
      `save_newsletter_issue('${issue}', 2, 'S', '', 'B')`,
      `test_newsletter_issue('${issue}')`,
      `admin_newsletter_issue('${issue}')`,
      'admin_newsletter_issues()',
      `admin_newsletter_refusals('${issue}')`,
    ]) {
      await expectCallers(world, call, NOT_ADMIN, { admin: 1 });
    }
    const sent = await draft();
    await send(sent);
    await expectCallers(world, `stop_newsletter_issue('${sent}', true)`, NOT_ADMIN, { admin: 1 });
    const other = await draft();
    await expectCallers(world, `send_newsletter_issue('${other}', 2)`, NOT_ADMIN, { admin: 1 });
    const last = await draft();
    await expectCallers(world, `unschedule_newsletter_issue('${last}')`, NOT_ADMIN, { admin: 1 });
    await expectCallers(world, `remove_newsletter_issue('${last}')`, NOT_ADMIN, { admin: 1 });
  });
});

describe('What is being sent or was sent', () => {
  test('can’t be changed, deleted or sent again, not even by the server’s operator', async () => {
    const issue = await draft();
    await send(issue);
    expect(
      await refusal(admin, "save_newsletter_issue($1, 2, 'Other', '', 'Other')", [issue]),
    ).toMatch(/^55000 This issue is being sent/);
    expect(await refusal(admin, 'remove_newsletter_issue($1)', [issue])).toMatch(
      /^55000 Only draft/,
    );
    await expect(
      sql`update public.newsletter_issues set body = 'Other' where id = ${issue}`,
    ).rejects.toMatchObject({ code: '55000' });
    await expect(
      sql`delete from public.newsletter_issues where id = ${issue}`,
    ).rejects.toMatchObject({ code: '55000' });
    await expect(
      sql`update public.newsletter_issues set state = 'draft' where id = ${issue}`,
    ).rejects.toMatchObject({ code: '55000' });
    // Pressed twice, it's sent once.
    const again = await send(issue);
    expect(again).toMatchObject({ state: 'sending', recipients: 3 });
    const [jobs] = await sql`
      select count(*)::int as count from private.jobs
      where kind = 'send_newsletter' and payload ->> 'issue_id' = ${issue}`;
    expect(jobs).toEqual({ count: 1 });
    expect(await refusal(admin, 'send_newsletter_issue($1, 7)', [issue])).toMatch(/^55000/);
  });

  test('stops, and continues with those who don’t have it; a draft can’t', async () => {
    const issue = await draft();
    expect(await refusal(admin, 'stop_newsletter_issue($1, true)', [issue])).toBe(
      '55000 This issue isn’t being sent yet.',
    );
    await send(issue);
    expect(await ask(admin, 'stop_newsletter_issue($1, true)', [issue])).toMatchObject({
      state: 'stopped',
    });
    const [claimed] = await sql`select private.claim_newsletter_delivery(${issue}) as row`;
    expect(claimed).toEqual({ row: null });
    expect(await ask(admin, 'stop_newsletter_issue($1, false)', [issue])).toMatchObject({
      state: 'sending',
      waiting: 3,
    });
    await sql`
      update public.newsletter_deliveries set state = 'sent', finished_at = now()
      where issue_id = ${issue}`;
    await sql`select private.end_newsletter(${issue})`;
    expect(await refusal(admin, 'stop_newsletter_issue($1, true)', [issue])).toBe(
      '55000 This issue has been sent to everyone.',
    );
  });
});

describe('An issue isn’t sent', () => {
  test('without a subject or a text', async () => {
    const issue = id();
    await ask(admin, 'create_newsletter_issue($1)', [issue]);
    for (const procedure of ['send_newsletter_issue($1, 1)', 'test_newsletter_issue($1)']) {
      expect(await refusal(admin, procedure, [issue])).toBe('22023 Write a subject first.');
    }
    await ask(admin, "save_newsletter_issue($1, 1, 'S', '', e' \\n ')", [issue]);
    expect(await refusal(admin, 'send_newsletter_issue($1, 2)', [issue])).toBe(
      '22023 Write the issue first.',
    );
  });

  test('in another version than the one its sender has read', async () => {
    const issue = await draft();
    expect(await refusal(admin, 'send_newsletter_issue($1, 1)', [issue])).toMatch(
      /^55000 Someone changed this issue/,
    );
    expect(await stateOf(issue)).toBe('draft');
  });

  test('at a time that’s past or far away', async () => {
    const issue = await draft();
    for (const at of ["now() - interval '1 minute'", "now() + interval '2 years'"]) {
      expect(await refusal(admin, `send_newsletter_issue($1, 2, ${at})`, [issue])).toBe(
        '22023 Choose a time within the next year.',
      );
    }
  });

  test('that doesn’t exist', async () => {
    expect(await refusal(admin, 'send_newsletter_issue($1, 1)', [id()])).toBe(
      'P0002 We can’t find this issue.',
    );
    expect(await ask(admin, 'admin_newsletter_issue($1)', [id()])).toBe(null);
  });
});

describe('Writing', () => {
  test('Two admins who write at the same time don’t overwrite each other', async () => {
    const issue = await draft();
    const late = await ask(admin, "save_newsletter_issue($1, 1, 'Mine', '', 'Mine')", [issue]);
    expect(late).toMatchObject({
      saved: false,
      issue: { subject: 'Bread and butter', revision: 2 },
    });
    // What arrived already may be sent again.
    const same = "save_newsletter_issue($1, 1, 'Bread and butter', 'A preview', 'Words.')";
    expect(await ask(admin, same, [issue])).toMatchObject({ saved: true, issue: { revision: 2 } });
  });

  test('A subject is one line, and a text has a limit', async () => {
    const issue = await draft('One\nline');
    expect(await ask(admin, 'admin_newsletter_issue($1)', [issue])).toMatchObject({
      subject: 'One line',
    });
    expect(
      await refusal(admin, "save_newsletter_issue($1, 2, 'S', '', repeat('x', 30001))", [issue]),
    ).toBe('22023 Keep it to 30,000 characters.');
  });

  test('A scheduled issue goes out at its time; unscheduled, it’s a draft again', async () => {
    const issue = await draft();
    const at = "send_newsletter_issue($1, 2, now() + interval '1 hour')";
    expect(await ask(admin, at, [issue])).toMatchObject({ state: 'scheduled' });
    expect(await refusal(admin, "save_newsletter_issue($1, 2, 'S', '', 'B')", [issue])).toMatch(
      /^55000 This issue is scheduled/,
    );
    expect(await ask(admin, 'unschedule_newsletter_issue($1)', [issue])).toMatchObject({
      state: 'draft',
      send_at: null,
    });
    await ask(admin, at, [issue]);
    await sql`select private.begin_due_newsletters()`;
    expect(await stateOf(issue)).toBe('scheduled');
    await sql`update public.newsletter_issues set send_at = now() where id = ${issue}`;
    await sql`select private.begin_due_newsletters()`;
    expect(await ask(admin, 'admin_newsletter_issue($1)', [issue])).toMatchObject({
      state: 'sending',
      recipients: 3,
      send_at: null,
    });
  });

  test('A test goes to the admin who asks, a few times a minute', async () => {
    await sql`delete from public.rate_limits`;
    const issue = await draft();
    const test = () => ask(admin, 'test_newsletter_issue($1)', [issue]);
    expect(await test()).toEqual({ to: admin.email });
    const [mail] = await sql`
      select to_address, data from private.mails where template = 'newsletter-issue'
      order by created_at desc limit 1`;
    expect(mail).toMatchObject({
      to_address: admin.email,
      data: { is_test: true, body: 'Words.' },
    });
    for (let count = 0; count < 4; count += 1) await test();
    expect(await refusal(admin, 'test_newsletter_issue($1)', [issue])).toMatch(/^PT429/);
  });
});

describe('The archive', () => {
  test('has what was sent, for everyone, and nothing else', async () => {
    const hidden = await draft('Hidden');
    const issue = await draft('Crème brûlée, again!');
    await send(issue);
    for (const who of [visitor, owner]) {
      const slugs = (await ask(who, 'list_newsletter_issues()')).map(
        ({ slug }: { slug: string }) => slug,
      );
      expect(slugs[0]).toBe('creme-brulee-again');
      expect(slugs).not.toContain('hidden');
      expect(await ask(who, "newsletter_issue('creme-brulee-again')")).toMatchObject({
        subject: 'Crème brûlée, again!',
        body: 'Words.',
      });
      expect(await ask(who, "newsletter_issue('hidden')")).toBe(null);
    }
    await ask(admin, 'remove_newsletter_issue($1)', [hidden]);
  });

  test.each([
    ['Crème brûlée, again!', 'creme-brulee-again-2'],
    ['Welcome', 'welcome-2'],
    ['☕️', 'issue'],
    ['x'.repeat(120), 'x'.repeat(60)],
  ])('The address of %s is %s', async (subject, slug) => {
    const issue = await draft(subject);
    expect(await send(issue)).toMatchObject({ slug });
  });
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { staleDrafts } from '#backend/local/mail/drafts.ts';
import type { OutgoingMail } from '#backend/supabase/functions/_shared/jobs/mail.ts';
import { renderMail } from '#backend/supabase/functions/_shared/mail/templates.ts';
import { withSettings } from '#backend/supabase/functions/_shared/settings.ts';
import runJobs from '#backend/supabase/functions/run-jobs/index.ts';
import { type MailServer, startMailServer } from '../../../fixtures/mail-server.ts';
import { brand, prepareOutbox } from './outbox.ts';

const link = 'http://127.0.0.1:4321/confirm?token_hash=abc&type=signup';
const outbox = prepareOutbox();
const queue = (to: string, template = 'confirm', data: object = { link }) =>
  outbox.queue(to, template, data);

describe('The sender', () => {
  test('A mail goes out once, however many senders run at the same time', async () => {
    await outbox.queueMany(12);
    const went: string[] = [];
    const deliver = async (mail: OutgoingMail) => {
      went.push(mail.to);
      await new Promise((resolve) => setImmediate(resolve));
    };
    const counts = await Promise.all(Array.from({ length: 3 }, () => outbox.send(deliver)));
    expect(counts.reduce((a, b) => a + b)).toBe(12);
    expect([went.length, new Set(went).size]).toEqual([12, 12]);
    expect(await outbox.send(deliver)).toBe(0);
  });

  test('One mail that cannot be drawn does not hold up the others', async () => {
    await queue('broken@example.com', 'confirm', {});
    await queue('unknown@example.com', 'no-such-template');
    await queue('fine@example.com');
    const went: string[] = [];
    expect(await outbox.send(async ({ to }) => void went.push(to))).toBe(1);
    expect(went).toEqual(['fine@example.com']);
    const reasons = (await outbox.rows()).map((row) => row.last_error);
    expect(reasons[0]).toContain('link');
    expect(reasons[1]).toContain('no-such-template');
  });

  test('What a sender had taken when it died is taken up by the next one', async () => {
    await queue('restart@example.com');
    const { sql } = outbox.database;
    await sql`
      update private.jobs set state = 'running', attempts = 1,
        run_at = now() + interval '5 minutes'
      where kind = 'mail'`;
    expect(await outbox.send(async () => {})).toBe(0);
    await sql`update private.jobs set run_at = now() where kind = 'mail'`;
    expect(await outbox.send(async () => {})).toBe(1);
  });

  test('Once a mail was sent, its link is not kept; the mailbox keeps it', async () => {
    await queue('wiped@example.com');
    await outbox.send(async () => {});
    const [wiped] = await outbox.rows();
    expect(wiped).toMatchObject({ state: 'done', html: null, body_text: null, data: {} });
    expect(JSON.stringify(wiped)).not.toContain('token_hash');
    await queue('kept@example.com');
    await outbox.send(async () => {}, { keep: true });
    expect((await outbox.rows())[1]?.body_text).toContain(link);
  });
});

describe('A mail', () => {
  test.each<[string, Record<string, unknown>]>([
    ['confirm', { link }],
    ['recovery', { link }],
    ['email-code', { link, code: '123456' }],
    ['email-link', { link }],
    ['email-change', { link, current_address: 'a@example.com', new_address: 'b@example.com' }],
    ['already-registered', { link, recover_link: `${brand.siteUrl}/recover` }],
    [
      'notice',
      {
        subject: 'A coach has accepted',
        heading: 'Mara will work with you',
        paragraphs: ['She will write within two days.'],
        button_label: 'Open coaching',
        button_path: '/dashboard/coaching',
        why: 'You asked for a coach.',
      },
    ],
  ])('%s says who sends it and why, in both forms', (template, data) => {
    const mail = renderMail(template, data, brand);
    for (const form of [mail.html, mail.text]) {
      expect(form).toContain('Trellis Business Coaching');
      expect(form).toContain('hello@trellis.example');
    }
    expect(mail.subject.length).toBeLessThan(70);
    expect(mail.html.match(/class="button"/g)).toHaveLength(1);
    expect(mail.html).not.toMatch(/undefined|\[object|<script|<img/);
    expect(mail.html).toContain('<html lang="en">');
  });

  test('Nothing that a person typed becomes markup or a header', () => {
    const nasty = '<img src=x onerror=alert(1)>"\'&';
    const data = { subject: 'Hello\r\nBcc: all@example.com', heading: nasty, paragraphs: [nasty] };
    const mail = renderMail('notice', { ...data, why: nasty }, { ...brand, product: nasty });
    expect(mail.html).not.toContain('<img');
    expect(mail.html).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;');
    expect(mail.subject).toBe('Hello Bcc: all@example.com');
  });

  const notice = { subject: 'S', heading: 'H', paragraphs: [], why: 'W', button_label: 'B' };
  test.each([
    ['confirm', { link: 'javascript:alert(1)' }],
    ['confirm', { link: 'data:text/html,x' }],
    ['confirm', { link: '//evil.example' }],
    ['confirm', { link: '' }],
    ['notice', { ...notice, button_path: '//evil.example' }],
  ])('A button of %s never leads elsewhere: %j', (template, data) => {
    expect(() => renderMail(template, data, brand)).toThrow();
  });

  test('An invitation carries no letter and no link of a stranger’s', () => {
    const invitation = (inviter: string, business: string) =>
      renderMail('business-invitation', { inviter, business, path: '/dashboard' }, brand);
    const { subject, html, text } = invitation(
      'Free prizes at https://prize.test/x?y=1 and evil.test',
      `Go to www.evil.test now. ${'Act today. '.repeat(12)}`,
    );
    for (const part of [subject, html, text]) {
      expect(part).not.toMatch(/prize\.test|evil\.test|(?:Act today\. ){6}/);
    }
    expect(invitation('J.R. Baker', 'Alder & Sons Inc.').subject).toBe(
      'J.R. Baker invites you to Alder & Sons Inc.',
    );
  });
});

test('Hosted Supabase Auth sends the same mails: its drafts are current', async () => {
  expect(await staleDrafts()).toEqual([]);
});

describe('With a mail server', () => {
  let server: MailServer;
  beforeEach(async () => {
    server = await startMailServer();
  });
  afterEach(() => server.close());

  test('A mail arrives with sender, both forms and an id that stays the same', async () => {
    await queue('ines@example.com');
    expect(await outbox.sendTo(server.url)).toBe(1);
    const [row] = await outbox.rows();
    expect(server.received).toHaveLength(1);
    for (const part of [
      `Message-ID: <${row?.id}@127.0.0.1>`,
      'From: Trellis <post@trellis.example>',
      'text/plain',
      'text/html',
    ]) {
      expect(server.received[0]).toContain(part);
    }
  });

  test('One row is a mail to one address, and never to those that its text could be read as', async () => {
    await queue('x,ann@example.com');
    await queue('x<ann@example.com>');
    await outbox.sendTo(server.url);
    expect(server.received.filter((mail) => /^To:.*[ <]ann@example\.com/m.test(mail))).toEqual([]);
  });

  test('The hosted function sends with the secret key, and with nothing else', async () => {
    await queue('hosted@example.com');
    const settings = {
      SUPABASE_SECRET_KEY: 'sb_secret_test',
      SUPABASE_DB_URL: outbox.database.url,
      SUPABASE_URL: brand.siteUrl,
      SMTP_URL: server.url,
      SITE_URL: brand.siteUrl,
    };
    const call = (apikey: string) => {
      const url = 'http://localhost/functions/v1/run-jobs';
      const request = new Request(url, { method: 'POST', headers: { apikey } });
      return withSettings(settings, () => runJobs.fetch(request));
    };
    expect((await call('sb_publishable_test')).status).toBe(403);
    expect(server.received).toHaveLength(0);
    const answer = await call('sb_secret_test');
    expect(await answer.json()).toMatchObject({ mail: 1, remove_file: 0 });
    expect(server.received[0]).toContain('hosted@example.com');
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GatewaySite, openSite, SITE } from '../gateway/site.ts';

let site: GatewaySite;
let open = '';
beforeAll(async () => {
  site = await openSite();
  const [row] = await site.sql`select id from public.surveys where state = 'open'`;
  open = row?.id;
});
afterAll(() => site.close());

let senders = 0;
/** Sends the form, each time from a new IP address unless one is given. */
function post(fields: Record<string, string>, address = `198.51.100.${++senders}`) {
  const body = new URLSearchParams({ survey: open, ...fields });
  return site.ask('/functions/v1/survey', { method: 'POST', body, address });
}
const responses = () => site.sql`
  select to_jsonb(agreement) as agreement, recommend, comments, invited
  from public.survey_responses`;

/** A personal link's secret, as private.send_survey stores its hash. */
async function invitation(): Promise<string> {
  const token = crypto.randomUUID().replaceAll('-', '').repeat(2);
  // Only the link matters here, not whose it is.
  await site.sql`
    alter table public.survey_invitations
    drop constraint if exists survey_invitations_engagement_id_fkey`;
  await site.sql`
    insert into public.survey_invitations (survey_id, engagement_id, token_hash)
    values (${open}, gen_random_uuid(), private.survey_token_hash(${token}))`;
  return token;
}

test.each([
  [{}, 'Answer at least one question.'],
  [{ 'statement-0': '6' }, 'These answers don’t match the questions.'],
  [{ 'statement-0': 'x' }, 'We couldn’t read these answers.'],
  [{ recommend: '1e99' }, 'We couldn’t read these answers.'],
  [{ id: 'x', recommend: '9' }, 'We couldn’t read this form.'],
])('Answers that don’t fit are refused in words: %o', async (fields, words) => {
  const answer = await post(fields as Record<string, string>);
  expect(answer.status).toBe(422);
  expect(await answer.text()).toContain(words);
  expect(await responses()).toEqual([]);
});

test('What doesn’t fit comes back with everything that was answered, under the same promise', async () => {
  const tooLong = 'y'.repeat(2_001);
  const given = { 'statement-2': '4', recommend: '10', 'comment-0': '<b>', 'comment-1': tooLong };
  const answer = await post(given);
  expect(answer.status).toBe(422);
  const page = await answer.text();
  expect(page).toContain('Keep it to 2,000 characters. That’s 1 too many.');
  expect(page).toContain('This survey is anonymous.');
  expect(page).toContain('name="statement-2" value="4" checked');
  expect(page).toContain('name="recommend" value="10" checked');
  expect(page.match(/ checked/g)).toHaveLength(2);
  expect(page).toContain('&lt;b&gt;');
  expect(page).toContain(tooLong);
  const id = /name="id" value="([^"]+)"/.exec(page)?.[1] ?? '';

  // Mended and sent twice from there, it's stored once.
  for (const _ of [1, 2]) {
    const sent = await post({ ...given, id, 'comment-1': ' line 1\r\nline 2 ' });
    expect(sent.status).toBe(303);
    expect(sent.headers.get('location')).toBe(`${SITE}/engagement-survey/thanks`);
  }
  expect(await responses()).toEqual([
    {
      agreement: [null, null, 4, ...Array(7).fill(null)],
      recommend: 10,
      comments: ['<b>', 'line 1\nline 2'],
      invited: false,
    },
  ]);
});

test('A personal link is used once, and its secret isn’t in the address', async () => {
  const token = await invitation();
  const sent = await post({ invitation: token, recommend: '8' });
  expect(sent.status).toBe(303);
  expect(sent.headers.get('location')).not.toContain(token);
  expect(await site.sql`select 1 from public.survey_responses where invited`).toHaveLength(1);
  const again = await post({ invitation: token, recommend: '8', 'comment-0': 'Still here' });
  expect(again.status).toBe(422);
  const page = await again.text();
  expect(page).toContain('This link has already been used. We have your answers.');
  expect(page).toContain('Still here');
});

test('By the public link, one address sends twenty an hour', async () => {
  for (let count = 0; count < 20; count += 1) {
    expect((await post({ recommend: '7' }, '192.0.2.1')).status).toBe(303);
  }
  const last = await post({ recommend: '7', 'comment-0': 'My words' }, '192.0.2.1');
  expect(last.status).toBe(429);
  expect(await last.text()).toContain('My words');
});

test('Answers given under another promise aren’t stored until that of today was read', async () => {
  const answer = await post({ survey: crypto.randomUUID(), 'statement-1': '5' });
  expect(answer.status).toBe(422);
  const page = await answer.text();
  expect(page).toContain('The survey has changed since you opened it.');
  expect(page).toContain('name="statement-1" value="5" checked');
  expect(page).toContain(`name="survey" value="${open}"`);
});

test('Once the survey is closed, people get back what they wrote', async () => {
  await site.sql`update public.surveys set state = 'closed', closed_at = now()`;
  const answer = await post({ recommend: '5', 'comment-1': 'More evenings' });
  expect(answer.status).toBe(422);
  const page = await answer.text();
  expect(page).toContain('No survey is open right now');
  expect(page).toContain('More evenings');
  await site.sql`update public.surveys set state = 'open', closed_at = null where id = ${open}`;
});

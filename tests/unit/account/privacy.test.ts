/** Checks what the site says about people's data against the code that stores it. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { REGISTRATION_COOKIE, REGISTRATION_SECONDS } from '#backend/local/auth/registrant.ts';
import { CHOSEN_COOKIE } from '#lib/chosen-work.ts';
import { VISIT_COOKIE, VISIT_SECONDS } from '#lib/last-visit.ts';
import { SESSION_COOKIE, SESSION_COOKIE_SECONDS } from '#lib/session-cookie.ts';
import { BUSINESS_COOKIE } from '#session/session-facts.ts';
import { read } from '../content/content-files.ts';

const source = (path: string) =>
  readFileSync(new URL(`../../../src/${path}`, import.meta.url).pathname, 'utf8');
const filesIn = (folder: string) =>
  readdirSync(new URL(`../../../src/${folder}/`, import.meta.url), { recursive: true })
    .map((file) => `${folder}/${file}`)
    .filter((file) => /\.(ts|sql)$/.test(file));
const schemas = filesIn('backend/supabase/schemas').map((file) => ({
  file,
  sql: source(file),
}));
const allSql = schemas.map(({ sql }) => sql).join('\n');

const policy = read('standing/privacy-policy.mdx');
const coaching = read('standing/coaching.mdx');

/** Finds the Markdown table row that starts with these words. */
function rowOf(text: string, beginning: string): string {
  const row = text.split('\n').find((line) => line.startsWith(`| ${beginning}`));
  if (!row) throw new Error(`No row begins with "${beginning}".`);
  return row;
}

/** The interval that the pattern captures in the SQL schemas, such as "30 days". */
function timeIn(pattern: RegExp): string {
  const found = pattern.exec(allSql)?.[1];
  if (!found) throw new Error(`${pattern} stands nowhere.`);
  return found;
}

const hoursIn = (time: string) => {
  const [count = '', unit = ''] = time.split(' ');
  const hours = { second: 1 / 3600, minute: 1 / 60, hour: 1, day: 24 }[unit.replace(/s$/, '')];
  if (!hours) throw new Error(`${time} is no time that is known here.`);
  return Number(count) * hours;
};

describe('Somebody reads how long something stays', () => {
  test.each([
    ['Your account ', /due_at timestamptz not null default now\(\) \+ interval '([^']+)'/],
    ['A filled-in tool', /tool_copies where removed_at < now\(\) - interval '([^']+)'/],
    ['An invitation', /coalesce\(ended_at, expires_at\) < now\(\) - interval '([^']+)'/],
    ['A reported message', /settled_at < now\(\) - interval '([^']+)'/],
    ['Quizzes you', /expires_at timestamptz not null default now\(\) \+ interval '(18[^']+)'/],
    [
      'Copies of a visitor',
      /expires_at timestamptz not null default now\(\) \+ interval '(30[^']+)'/,
    ],
    ['Page counts', /where day < .+ - interval '([^']+)'/],
    ['Sent email', /'dropped'\) and created_at < now\(\) - interval '([^']+)'/],
  ])('%s … is kept as long as the database keeps it', (row, pattern) => {
    expect(rowOf(policy, row)).toContain(timeIn(pattern));
  });

  test('Messages of the contact form and requests that nobody confirmed go when it is said', () => {
    expect(timeIn(/contact_messages where created_at < now\(\) - interval '([^']+)'/)).toBe(
      '2 years',
    );
    expect(rowOf(policy, 'Contact-form messages')).toContain('Two years');
    const open = hoursIn(timeIn(/confirm_expires_at = now\(\) \+ interval '([^']+)'/));
    const after = hoursIn(timeIn(/confirm_expires_at < now\(\) - interval '([^']+)'/));
    expect(open + after).toBe(30 * 24);
    expect(rowOf(policy, 'A newsletter request')).toContain('A month');
    expect(timeIn(/newsletter_deliveries where finished_at < now\(\) - interval '([^']+)'/)).toBe(
      '1 year',
    );
    expect(rowOf(policy, 'Which newsletters')).toContain('A year');
    expect(timeIn(/starts_at < now\(\) - interval '([^']+)' and s.email is not null/)).toBe(
      '1 year',
    );
    expect(rowOf(policy, 'A place at an event, with')).toContain('A year after the event');
  });

  test('What is deleted on a schedule has been promised, all of it', () => {
    const jobs = [...allSql.matchAll(/jobs \(kind, every\)\s+values \('(delete_[a-z_]+)'/g)];
    expect(jobs.map(([, name]) => name).sort()).toEqual([
      // Drafts of questions say nothing about a person.
      'delete_discarded_quiz_drafts',
      'delete_due_accounts',
      'delete_old_claims',
      'delete_old_contacts',
      'delete_old_event_people',
      'delete_old_invitations',
      'delete_old_jobs',
      'delete_old_message_reports',
      'delete_old_newsletter_deliveries',
      'delete_old_notifications',
      'delete_old_page_views',
      'delete_old_rate_limits',
      'delete_removed_copies',
    ]);
  });

  test('No limit counts for longer than a day, but that somebody signed in from a place', () => {
    const inSql = [
      ...allSql.matchAll(/(?:_rate_limit|_fair_share|rate_limits as r)\b[^;]*?interval '([^']+)'/g),
    ];
    const rules = source('backend/local/auth/limits.ts').matchAll(
      /(\w+): \{ limit: .*window: '(.+)' \}/g,
    );
    const known: string[] = [];
    const times = inSql.map(([, time = '']) => time);
    for (const [, name, time = ''] of rules) (name === 'known' ? known : times).push(time);
    expect(times.length).toBeGreaterThan(15);
    const cleared = timeIn(/values \('delete_old_rate_limits', interval '([^']+)'\)/);
    const longest = Math.max(...times.map(hoursIn)) + hoursIn(cleared);
    expect(rowOf(policy, 'How often someone tries')).toContain(`within ${longest} hours`);
    expect(rowOf(policy, 'That you signed in')).toContain(`after ${known.join()}`);
  });
});

test('Somebody reads the name of each cookie, and how long it lasts', () => {
  const inCode = ['lib', 'session']
    .flatMap(filesIn)
    .flatMap((file) => [...source(file).matchAll(/_COOKIE = '([^']+)'/g)])
    .map(([, name]) => name);
  expect(inCode.sort()).toEqual(
    [BUSINESS_COOKIE, CHOSEN_COOKIE, SESSION_COOKIE, VISIT_COOKIE].sort(),
  );
  const [, cookies = ''] = /## The five cookies\n(.*?)\n## /s.exec(policy) ?? [];
  for (const name of [...inCode, REGISTRATION_COOKIE])
    expect(cookies).toContain(`\`${name}\` is set when`);
  const days = SESSION_COOKIE_SECONDS / 86_400;
  expect(cookies.match(new RegExp(`${days} days`, 'g'))).toHaveLength(2);
  expect(cookies).toContain(`${REGISTRATION_SECONDS / 3600} hours`);
  expect(cookies).toContain(`${VISIT_SECONDS / 86_400} days`);
});

test('An owner reads of everything in a business that a coach can open', () => {
  /** What the text calls each table that a policy lets the assigned coach read. */
  const words: Record<string, string> = {
    businesses: 'Your business',
    business_snapshots: 'figures',
    business_plan_fields: 'one-page plan',
    business_plan_versions: 'one-page plan',
    business_worksheets: 'cash forecast and calculators',
    business_worksheet_versions: 'cash forecast and calculators',
    tool_copies: 'filled-in tools',
    projects: 'projects',
    project_events: 'projects',
    project_updates: 'projects',
    project_tasks: 'tasks',
    project_files: 'files',
  };
  const open = [
    ...allSql.matchAll(/on public\.(\w+) for select to authenticated\s+using \(([^;]+)\);/g),
  ].flatMap(([, table = '', rule = '']) => (rule.includes('readable_business_ids') ? table : []));
  expect(open.sort()).toEqual(Object.keys(words).sort());
  for (const text of [rowOf(coaching, 'Your business:'), rowOf(policy, 'Your business:')]) {
    for (const word of Object.values(words)) expect(text).toContain(word);
  }
});

test('Nobody is shown a figure about fewer than it is said', () => {
  const fewest = /having count\(\*\) >= (\d+);/.exec(allSql)?.[1];
  expect(allSql).toContain(`continue when v_cell.businesses < ${fewest};`);
  expect(rowOf(policy, 'Quiz answers')).toContain(`at least ${fewest} businesses`);
  expect(allSql).toMatch(/function public\.demographics_summary\(\).*?c_least constant int := 5;/s);
  expect(rowOf(policy, 'Age, gender')).toContain('in groups of at least five');
});

test('Somebody finds everything that an archive about them holds in the table of what is stored', () => {
  /** The privacy policy's rows, and the archive tables each covers. */
  const rows: Record<string, string[]> = {
    'Name, what we call you': ['profiles'],
    'Which emails you want': ['notification_settings', 'blocks'],
    'Age, gender': ['demographics'],
    'Your business:': [
      'businesses',
      'business_members',
      'business_snapshots',
      'business_plan_fields',
      'business_plan_versions',
      'business_worksheets',
      'business_worksheet_versions',
      'tool_copies',
      'projects',
      'project_events',
      'project_updates',
      'project_tasks',
      'project_files',
    ],
    'Addresses you invite': ['business_invitations'],
    'Quiz answers, results': [
      'attempts',
      'attempt_adoptions',
      'answers',
      'attempt_confidences',
      'area_scores',
      'recommendations',
      'focus_areas',
      'focus_actions',
      'focus_reminders',
    ],
    'Tools you': ['toolbox_marks', 'saved_views'],
    'Requests for coaching': [
      'engagements',
      'engagements_as_coach',
      'engagement_events',
      'coaching_sessions',
      'coaching_sessions_as_coach',
      'session_offers',
      'session_offers_as_coach',
      'coaching_actions',
      'coaching_actions_as_coach',
      'coach_recommendations',
      'coach_recommendations_as_coach',
      'contact_attempts',
      'contact_attempts_as_coach',
    ],
    'Notes for your next coach': ['handovers'],
    'Your coach’s private notes': ['session_notes'],
    'How you say a session went': ['session_feedback'],
    'Whether you have a private calendar address': ['calendar_feeds'],
    'What we notified you of': ['notifications'],
    'What you buy': [
      'orders',
      'order_lines',
      'order_events',
      'order_files',
      'payments',
      'refunds',
      'disputes',
      'memberships',
      'session_grants',
      'session_uses',
    ],
    'A seat in a sponsored program': ['seats', 'seat_waits', 'program_sponsors'],
    'Messages and their files': [
      'conversations',
      'conversation_participants',
      'messages',
      'message_attachments',
      'message_drafts',
    ],
    'A reported message': ['message_reports'],
    'Email we sent': ['mails'],
    'What you write in the contact form': ['contact_messages'],
    'Your address for the newsletter': ['contacts'],
    'A place at an event:': ['event_signups'],
    'Which issues of the newsletter': ['newsletter_deliveries'],
    'If our organization connects HubSpot': ['hubspot_records'],
    'If our organization connects Wrike': ['wrike_mirrors'],
    'What you answer in a survey': ['survey_invitations', 'survey_responses'],
    'Actions taken by our staff': [
      'audit_log',
      'newsletter_issues',
      'toolbox_versions',
      'tool_files',
      'business_merges',
      'staff_roles',
      'coach_profiles',
      'coach_time_off',
    ],
    'Your account ': ['account_deletions'],
  };
  const parts = /function private\.export_parts\(\).*?\$\$;/s.exec(allSql)?.[0] ?? '';
  const listed = [...parts.matchAll(/^ {4}\('(\w+)', '/gm)].map(([, name]) => name);
  const personal = [...allSql.matchAll(/create table public\.(\w+) \((.*?)\n\);/gs)].flatMap(
    ([, name, columns = '']) => (/^ {2}user_id /m.test(columns) ? name : []),
  );
  expect(listed.length).toBeGreaterThan(25);
  expect(personal.length).toBeGreaterThan(10);
  expect([...new Set([...listed, ...personal])].sort()).toEqual(Object.values(rows).flat().sort());
  for (const row of Object.keys(rows)) rowOf(policy, row);
});

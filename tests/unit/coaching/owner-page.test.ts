import { describe, expect, test } from 'vitest';
import { ENGAGEMENT_STATES } from '#domain/engagement.ts';
import { ownerNext, ownerText, stepAt } from '#domain/engagement-text.ts';
import { currentOf } from '#features/coaching/owner/current.ts';
import { elsewhereWords, momentWords, spanWords } from '#features/coaching/owner/times.ts';
import { sessionCalendar } from '#lib/content/session-calendar.ts';
import { site } from '#lib/content/site.ts';
import { recommendedHref, recommendedIn } from '#lib/routing/recommended-project.ts';
import { assignedEngagement, ruth, scheduledSession } from '../../fixtures/own-coaching.ts';

const now = '2026-11-25T12:00:00Z';

describe('What an owner reads', () => {
  test('names the coach, or says "your coach"', () => {
    expect(ownerText(assignedEngagement).title).toBe('Ruth Abara has your request');
    expect(ownerText({ ...assignedEngagement, coach: null }).title).toBe(
      'Your coach has your request',
    );
    expect(ownerNext('pick', { coach: null, state: 'active' }).what).toBe(
      'Pick one of the times your coach offers',
    );
    expect(ownerNext('plan', { coach: ruth, state: 'active' }).who).toBe('You and Ruth Abara');
  });

  test('has a next step for every state', () => {
    for (const state of ENGAGEMENT_STATES) {
      expect(ownerText({ ...assignedEngagement, state }).next).toMatch(/\.$/);
    }
  });

  test('says where the request is', () => {
    const steps = ['requested', 'assigned', 'accepted', 'active', 'paused'] as const;
    expect(steps.map(stepAt)).toEqual([
      'coach_asked',
      'accepted',
      'first_session',
      'working',
      'working',
    ]);
  });
});

describe('A session’s time', () => {
  const at = scheduledSession.starts_at;

  test('is in the owner’s own zone', () => {
    expect(momentWords(at, 'America/New_York', now)).toBe('Tuesday, December 8 at 5:00 PM');
    expect(spanWords(scheduledSession, 'America/New_York')).toBe('5:00 PM to 6:00 PM');
  });

  test.each([
    ['America/Denver', null],
    ['America/New_York', '3:00 PM in Denver'],
    ['Asia/Tokyo', 'Tuesday, December 8, 3:00 PM in Denver'],
  ])('is also in the coach’s, if that differs: %s', (zone, words) => {
    expect(elsewhereWords(at, zone, 'America/Denver', now)).toBe(words);
  });

  test('needs no second one if we don’t know where the coach is', () => {
    expect(elsewhereWords(at, 'Asia/Tokyo', null, now)).toBeNull();
  });
});

test('The newest of a business is shown in full, unless the owner withdrew', () => {
  const one = (id: string, business_id: string, state: (typeof ENGAGEMENT_STATES)[number]) => ({
    ...assignedEngagement,
    id,
    business_id,
    state,
  });
  const shown = currentOf([
    one('open', 'bakery', 'active'),
    one('done before', 'bakery', 'completed'),
    one('left', 'shop', 'withdrawn'),
    one('done', 'cafe', 'completed'),
  ]);
  expect(shown.map(({ id }) => id)).toEqual(['open', 'done']);
});

describe('A session in a calendar file', () => {
  const held = {
    ...scheduledSession,
    business: { name: 'Delgado, Bakery; & Sons' },
    coach_name: 'Ruth, Abara',
    place: '12 Main St; back door\nRing twice',
  };
  const unfolded = (text: string) => text.replaceAll('\r\n ', '');

  test('has its time in UTC, its end and its revision', () => {
    const text = unfolded(sessionCalendar(held, 'owner', site));
    expect(text).toContain('DTSTART:20261208T220000Z');
    expect(text).toContain('DTEND:20261208T230000Z');
    expect(text).toContain('SEQUENCE:2');
    expect(text).toContain(`UID:session-${held.id}@${new URL(site.url).host}`);
    expect(text).toContain('STATUS:CONFIRMED');
  });

  test('is the same moment on both sides of a clock change', () => {
    for (const [starts_at, stamp] of [
      ['2026-11-01T07:30:00Z', '20261101T073000Z'],
      ['2026-11-01T08:30:00Z', '20261101T083000Z'],
    ] as const) {
      const text = sessionCalendar({ ...held, starts_at }, 'owner', site);
      expect(text).toContain(`DTSTART:${stamp}`);
    }
  });

  test('escapes what people typed, and says who it’s with', () => {
    const text = unfolded(sessionCalendar(held, 'owner', site));
    expect(text).toContain('SUMMARY:Coaching with Ruth\\, Abara');
    expect(text).toContain('LOCATION:12 Main St\\; back door\\nRing twice');
    expect(unfolded(sessionCalendar(held, 'coach', site))).toContain(
      'SUMMARY:Coaching: Delgado\\, Bakery\\; & Sons',
    );
  });

  test('says that it was canceled', () => {
    expect(sessionCalendar({ ...held, state: 'canceled' }, 'owner', site)).toContain(
      'STATUS:CANCELLED',
    );
  });
});

test('A recommended project travels in the address of the form', () => {
  const recommended = {
    id: '01980000-0000-7000-8000-000000000001',
    title: 'Write & price the menu?',
    engagementId: '01980000-0000-7000-8000-000000000002',
  };
  const href = recommendedHref(recommended, 'financial-projection');
  const query = new URL(href, 'http://site.test').searchParams;
  expect(recommendedIn(query)).toEqual(recommended);
  expect(query.get('area')).toBe('financial-projection');
  expect(recommendedIn(new URLSearchParams('recommended=x&title=y'))).toBeNull();
  expect(recommendedIn(new URLSearchParams(`recommended=${recommended.id}`))).toBeNull();
});

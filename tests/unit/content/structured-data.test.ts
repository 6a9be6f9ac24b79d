import { describe, expect, test } from 'vitest';
import { site } from '#lib/content/site.ts';
import { blogPosting, event, organization } from '#lib/content/structured-data.ts';

const article = {
  path: '/blog/business-model-canvas',
  title: 'The business model canvas',
  description: 'Nine blocks.',
  author: 'Ruth Abara, coach',
  published: '2025-05-20',
  tags: ['planning', 'pricing'],
  image: '/og/blog/business-model-canvas.png',
};
const held = {
  path: '/events/online-office-hours',
  title: 'Office hours',
  description: 'Bring one question.',
  start: new Date('2026-12-08T00:30:00Z'),
  end: new Date('2026-12-08T02:30:00Z'),
  place: { name: 'Video call', online: true },
  image: '/og/events/online-office-hours.png',
  cost: 'Free',
  takesPlaces: true,
  canceled: false,
};
// tests/site/machines.test.ts checks the JSON-LD of every built page.
describe('What machines read of a page', () => {
  test('Accounts elsewhere are named only where there are any', () => {
    expect(organization({ ...site, social: [] })).not.toHaveProperty('sameAs');
    const social = [{ name: 'Elsewhere', url: 'https://social.example/us' }];
    expect(organization({ ...site, social })).toMatchObject({
      sameAs: ['https://social.example/us'],
    });
  });

  test('An article that never changed was last changed when it was published', () => {
    expect(blogPosting(site, article)).toMatchObject({ dateModified: '2025-05-20' });
    expect(blogPosting(site, { ...article, updated: '2026-11-18' })).toMatchObject({
      datePublished: '2025-05-20',
      dateModified: '2026-11-18',
    });
  });

  test('An article is by a person with a role, and published by the organization', () => {
    const organizationId = { '@id': `${site.url}/#organization` };
    expect(blogPosting(site, article)).toMatchObject({
      author: {
        '@type': 'Person',
        name: 'Ruth Abara',
        jobTitle: 'coach',
        worksFor: organizationId,
      },
      publisher: organizationId,
    });
    const withoutRole = blogPosting(site, { ...article, author: 'Ruth Abara' });
    expect(withoutRole).toMatchObject({ author: { '@type': 'Person', name: 'Ruth Abara' } });
    expect(withoutRole).not.toHaveProperty('author.jobTitle');
  });

  test('An event has its times with their zone, and a place one can go to or call', () => {
    expect(event(site, held)).toMatchObject({
      startDate: '2026-12-08T00:30:00.000Z',
      endDate: '2026-12-08T02:30:00.000Z',
      eventAttendanceMode: 'https://schema.org/OnlineEventAttendanceMode',
      location: { '@type': 'VirtualLocation', url: `${site.url}${held.path}` },
    });
    const place = { name: 'Library', address: '1 Example Street', online: false };
    expect(event(site, { ...held, place })).toMatchObject({
      eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
      location: { '@type': 'Place', name: 'Library', address: '1 Example Street' },
    });
  });

  test('An event says whether it’s canceled and, if people can take a free place, where', () => {
    expect(event(site, held)).toMatchObject({
      eventStatus: 'https://schema.org/EventScheduled',
      isAccessibleForFree: true,
      offers: { '@type': 'Offer', price: 0, url: `${site.url}${held.path}#sign-up` },
    });
    expect(event(site, { ...held, cost: '$20 at the door' })).not.toHaveProperty('offers');
    expect(event(site, { ...held, canceled: true, takesPlaces: false })).toMatchObject({
      eventStatus: 'https://schema.org/EventCancelled',
    });
  });
});

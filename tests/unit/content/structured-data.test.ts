import { describe, expect, test } from 'vitest';
import { site } from '#lib/content/site.ts';
import {
  blogPosting,
  breadcrumbs,
  event,
  faq,
  organization,
} from '#lib/content/structured-data.ts';

/** Every text in a tree that stands under a name of an address. */
function addresses(data: unknown, name = ''): string[] {
  if (typeof data === 'string') {
    return ['@id', 'url', 'item', 'image', 'logo', 'mainEntityOfPage'].includes(name) ? [data] : [];
  }
  if (Array.isArray(data)) return data.flatMap((each) => addresses(each, name));
  if (data === null || typeof data !== 'object') return [];
  return Object.entries(data).flatMap(([key, value]) => addresses(value, key));
}

const article = {
  path: '/blog/business-model-canvas',
  title: 'The business model canvas',
  description: 'Nine blocks.',
  author: 'The coaching team',
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
};
const crumbs = [
  { name: 'Home', path: '/' },
  { name: 'Blog', path: '/blog' },
];
const questions = [{ question: 'What does it cost?', answer: 'It says so under Pricing.' }];

describe('What machines read of a page', () => {
  test('All of it says whose terms it uses, and every address is a full one', () => {
    const all = [
      organization(site),
      blogPosting(site, article),
      event(site, held),
      faq(questions),
      breadcrumbs(site, crumbs),
    ];
    for (const data of all) {
      expect(data).toMatchObject({ '@context': 'https://schema.org', '@type': expect.any(String) });
      for (const address of addresses(data)) {
        expect(address.startsWith(`${site.url}/`), address).toBe(true);
      }
    }
    expect(addresses(all).length).toBeGreaterThan(10);
  });

  test('The organization has a name, a logo, and where to write to', () => {
    expect(organization(site)).toMatchObject({
      '@type': 'Organization',
      name: site.organisation,
      logo: `${site.url}/icon-512.png`,
      email: site.email,
      address: { '@type': 'PostalAddress', postalCode: site.address.postal_code },
    });
  });

  test('Accounts elsewhere are named only where there are any', () => {
    expect(organization({ ...site, social: [] })).not.toHaveProperty('sameAs');
    const social = [{ name: 'Elsewhere', url: 'https://social.example/us' }];
    expect(organization({ ...site, social })).toMatchObject({
      sameAs: ['https://social.example/us'],
    });
  });

  test('An article names its author and its days; one never changed was last changed when published', () => {
    expect(blogPosting(site, article)).toMatchObject({
      '@type': 'BlogPosting',
      headline: article.title,
      author: { name: 'The coaching team' },
      datePublished: '2025-05-20',
      dateModified: '2025-05-20',
      keywords: 'planning, pricing',
      image: `${site.url}${article.image}`,
    });
    expect(blogPosting(site, { ...article, updated: '2026-11-18' })).toMatchObject({
      datePublished: '2025-05-20',
      dateModified: '2026-11-18',
    });
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

  test('Questions keep their answers, and the way to a page is counted from one', () => {
    expect(faq(questions)).toMatchObject({
      mainEntity: [
        { name: questions[0]?.question, acceptedAnswer: { text: questions[0]?.answer } },
      ],
    });
    expect(breadcrumbs(site, crumbs)).toMatchObject({
      itemListElement: [
        { position: 1, name: 'Home', item: `${site.url}/` },
        { position: 2, name: 'Blog', item: `${site.url}/blog` },
      ],
    });
  });
});

/**
 * Structured data for search engines: schema.org terms as JSON-LD. layouts/Head.astro writes it.
 * https://developers.google.com/search/docs/appearance/structured-data/search-gallery
 */
import type {
  BlogPosting,
  BreadcrumbList,
  Event,
  FAQPage,
  Organization,
  Person,
  WithContext,
} from 'schema-dts';
import type { Site } from './site.ts';

/** The absolute public URL of a path on this site. */
const absolute = (site: Site, path: string) => new URL(path, site.url).href;

const CONTEXT = 'https://schema.org';

/** The organization that runs the site. */
export function organization(site: Site): WithContext<Organization> {
  return {
    '@context': CONTEXT,
    '@type': 'Organization',
    '@id': absolute(site, '/#organization'),
    name: site.organisation,
    alternateName: site.product,
    url: absolute(site, '/'),
    logo: absolute(site, '/icon-512.png'),
    email: site.email,
    telephone: site.phone,
    address: {
      '@type': 'PostalAddress',
      streetAddress: site.address.street,
      addressLocality: site.address.city,
      addressRegion: site.address.region,
      postalCode: site.address.postal_code,
      addressCountry: site.address.country,
    },
    ...(site.social.length > 0 ? { sameAs: site.social.map(({ url }) => url) } : {}),
  };
}

/** An author, given as a name, a comma and a role. */
function person(site: Site, author: string): Person {
  const [name, jobTitle] = author.split(', ');
  return {
    '@type': 'Person',
    name: name ?? author,
    ...(jobTitle ? { jobTitle } : {}),
    worksFor: { '@id': absolute(site, '/#organization') },
    url: absolute(site, '/about'),
  };
}

/** An article. Dates are YYYY-MM-DD. */
export function blogPosting(
  site: Site,
  article: {
    path: string;
    title: string;
    description: string;
    /** "Ruth Abara, coach". */
    author: string;
    published: string;
    updated?: string | undefined;
    tags: string[];
    /** The path of its image. */
    image: string;
  },
): WithContext<BlogPosting> {
  return {
    '@context': CONTEXT,
    '@type': 'BlogPosting',
    headline: article.title,
    description: article.description,
    author: person(site, article.author),
    publisher: { '@id': absolute(site, '/#organization') },
    datePublished: article.published,
    dateModified: article.updated ?? article.published,
    keywords: article.tags.join(', '),
    image: absolute(site, article.image),
    mainEntityOfPage: absolute(site, article.path),
    inLanguage: 'en-US',
  };
}

/** One occurrence of an event. */
export function event(
  site: Site,
  held: {
    path: string;
    title: string;
    description: string;
    start: Date;
    end: Date;
    place: { name: string; address?: string | undefined; online: boolean };
    image: string;
    /** What it costs, in words. */
    cost: string;
    /** Whether people can take a place on its page. */
    takesPlaces: boolean;
    canceled: boolean;
  },
): WithContext<Event> {
  const { place } = held;
  const isFree = held.cost.toLowerCase() === 'free';
  return {
    '@context': CONTEXT,
    '@type': 'Event',
    name: held.title,
    description: held.description,
    startDate: held.start.toISOString(),
    endDate: held.end.toISOString(),
    eventStatus: `https://schema.org/${held.canceled ? 'EventCancelled' : 'EventScheduled'}`,
    isAccessibleForFree: isFree,
    ...(held.takesPlaces && isFree
      ? {
          offers: {
            '@type': 'Offer',
            price: 0,
            priceCurrency: 'USD',
            url: absolute(site, `${held.path}#sign-up`),
          },
        }
      : {}),
    eventAttendanceMode: place.online
      ? 'https://schema.org/OnlineEventAttendanceMode'
      : 'https://schema.org/OfflineEventAttendanceMode',
    location: place.online
      ? { '@type': 'VirtualLocation', name: place.name, url: absolute(site, held.path) }
      : { '@type': 'Place', name: place.name, address: place.address ?? place.name },
    organizer: { '@type': 'Organization', name: site.organisation, url: absolute(site, '/') },
    image: absolute(site, held.image),
    url: absolute(site, held.path),
  };
}

/** Questions and their answers, as on the page. */
export function faq(
  questions: readonly { question: string; answer: string }[],
): WithContext<FAQPage> {
  return {
    '@context': CONTEXT,
    '@type': 'FAQPage',
    mainEntity: questions.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    })),
  };
}

/** The path from the home page to this page, which comes last. */
export function breadcrumbs(
  site: Site,
  crumbs: readonly { name: string; path: string }[],
): WithContext<BreadcrumbList> {
  return {
    '@context': CONTEXT,
    '@type': 'BreadcrumbList',
    itemListElement: crumbs.map(({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: absolute(site, path),
    })),
  };
}

import { getCollection } from 'astro:content';
import rss from '@astrojs/rss';
import { feedItems } from '#lib/content/feeds.ts';
import { site } from '#lib/content/site.ts';

/** The newest articles, for feed readers. Prerendered. */
export async function GET(): Promise<Response> {
  const self = new URL('/rss.xml', site.url).href;
  return rss({
    title: `${site.product}: ${site.tagline}`,
    description: site.description,
    site: site.url,
    items: feedItems(await getCollection('blog')),
    trailingSlash: false,
    xmlns: { atom: 'http://www.w3.org/2005/Atom' },
    customData: `<language>en-us</language><atom:link href="${self}" rel="self" type="application/rss+xml"/>`,
  });
}

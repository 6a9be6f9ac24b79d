import { getCollection } from 'astro:content';
import type { APIRoute, GetStaticPaths } from 'astro';
import { pagedCollections, pathOf, plainWords } from '#lib/feeds.ts';
import { site } from '#lib/site.ts';

/** `<path>/_payload.json`: what a page is made from, for programs. Built, one beside each page. */
export const getStaticPaths = (async () => {
  const lists = await Promise.all(
    pagedCollections.map(async (collection) => {
      const entries = await getCollection(collection);
      return entries.map(({ id, data, body = '' }) => {
        const path = pathOf(collection, id);
        return {
          // A file whose name begins with _ would be no page.
          params: { path: path.slice(1), file: '_payload' },
          props: { collection, id, path, data, body },
        };
      });
    }),
  );
  return lists.flat();
}) satisfies GetStaticPaths;

export const GET: APIRoute = ({ props: { body, ...page } }) =>
  Response.json({ ...page, ...plainWords(body, site) });

import type { APIRoute, GetStaticPaths } from 'astro';
import { pageData } from '#lib/content/page-data.ts';

/** `<path>/_payload.json`: what a page is made from, for programs. Built, one beside each page. */
export const getStaticPaths = (async () =>
  (await pageData()).map((page) => ({
    // A file whose name begins with _ would be no page. Astro takes the home page's path as undefined.
    params: { path: page.path.slice(1) || undefined, file: '_payload' },
    props: { ...page },
  }))) satisfies GetStaticPaths;

export const GET: APIRoute = ({ props }) => Response.json(props);

import type { APIRoute, GetStaticPaths } from 'astro';
import { pageData } from '#lib/content/page-data.ts';

/** `<path>/_payload.json`: the data a page is made from, for programs. Prerendered. */
export const getStaticPaths = (async () =>
  (await pageData()).map((page) => ({
    // Astro ignores pages whose names start with _, and takes undefined as the home page's path.
    params: { path: page.path.slice(1) || undefined, file: '_payload' },
    props: { ...page },
  }))) satisfies GetStaticPaths;

export const GET: APIRoute = ({ props }) => Response.json(props);

import { drawingsFile } from '#components/home/drawings-file.tsx';

/** What the home page draws from; see there. Built. */
export function GET(): Response {
  return new Response(drawingsFile(), { headers: { 'Content-Type': 'image/svg+xml' } });
}

import { type Database, query } from '#backend/supabase/functions/_shared/connection.ts';
import { dayAgo } from './dates.ts';

/** Views of a path on an average day, of the route it belongs to. */
const READ: readonly [route: string, path: string, aDay: number][] = [
  ['/', '/', 42],
  ['/pages/business-skills-quiz', '/pages/business-skills-quiz', 18],
  ['/toolbox', '/toolbox', 12],
  ['/blog/[slug]', '/blog/business-model-canvas', 9],
  ['/blog/[slug]', '/blog/why-do-i-need-a-business-coach', 6],
  ['/case-studies/[slug]', '/case-studies/financial-projection', 7],
  ['/pages/[slug]', '/pages/access-to-capital', 5],
  ['/pricing', '/pricing', 6],
  ['/coaching', '/coaching', 5],
  ['/events', '/events', 3],
  ['/contact', '/contact', 2],
];
const DAYS = 200;

/** Page views of the last months: fewer on weekends, and slowly more over time. */
export async function addPageViews(db: Database, random: () => number): Promise<void> {
  const rows = Array.from({ length: DAYS }, (_, ago) => {
    const day = dayAgo(ago);
    const isWeekend = [0, 6].includes(new Date(day).getUTCDay());
    const scale = (isWeekend ? 0.45 : 1) * (1 - (0.5 * ago) / DAYS);
    return READ.map(([route, path, aDay]) => {
      const views = Math.round(aDay * scale * (0.6 + 0.8 * random()));
      return { day, route, path, views };
    });
  })
    .flat()
    .filter(({ views }) => views > 0);
  await query(db)`
    insert into public.page_views (day, route, path, views)
    select r.day, r.route, r.path, r.views
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (day date, route text, path text, views bigint)`;
}

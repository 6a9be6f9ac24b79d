/** What admins wrote in the toolbox: drafts, a tool with a video, one to review, and an archived one. */
import { type Database, query } from '#backend/supabase/functions/_shared/connection.ts';
import { type BuiltPerson, idOf } from './builders.ts';
import {
  addToolFiles,
  BREAK_EVEN_CAPTIONS,
  BREAK_EVEN_VIDEO,
  demoToolFiles,
} from './tool-files.ts';

const LETTER = {
  title: 'Price increase letter',
  summary: 'A letter that tells regular customers about a new price, and when to send it.',
  area: 'sales-marketing',
  practice: 'sales-marketing.reasoned-price',
  body: `## The letter

Dear {name},

From **March 1**, our {product} costs **$6.00** instead of $5.20. Flour and wages went up by 14 % in a year, and we would rather change the price than the bread.

Orders until February 28 are at the old price.

## When to send it

- [ ] Four weeks before the day
- [ ] After you've told the people who work for you
- [ ] Not in the week of a holiday
`,
};

interface DemoTool {
  id: string;
  slug: string;
  title: string;
  summary: string;
  type: string;
  area: string;
  minutes: number;
  format: string;
  body: string;
  /** How many days ago it was last reviewed. */
  reviewed: number;
  /** Why it's archived; undefined if it isn't. */
  archived?: string;
}

const PUBLISHED: readonly DemoTool[] = [
  {
    id: BREAK_EVEN_VIDEO,
    slug: 'break-even-in-20-seconds',
    title: 'Break-even in 20 seconds',
    summary: 'A short video about how many you have to sell before a month earns money.',
    type: 'video',
    area: 'financial-projection',
    minutes: 5,
    format: 'Video and three questions',
    body: 'Watch it, answer the three questions in the list, then work out your own number with the [break-even calculator](/toolbox/break-even).',
    reviewed: 20,
  },
  {
    id: idOf('tool/ask-for-a-review'),
    slug: 'ask-for-a-review',
    title: 'Ask for a review',
    summary: 'Words to ask happy customers for a review, and when to send them.',
    type: 'guide',
    area: 'sales-marketing',
    minutes: 10,
    format: 'Message with words to use',
    body: '## The message\n\nThank you for coming in on Saturday. If you have two minutes, would you say how it was on our page? It helps neighbors find us.\n\n## When to send it\n\nThe day after, once.',
    reviewed: 400,
  },
  {
    id: idOf('tool/printed-ad-checklist'),
    slug: 'printed-ad-checklist',
    title: 'Printed ad checklist',
    summary: 'What to check before an ad goes to the local paper.',
    type: 'checklist',
    area: 'sales-marketing',
    minutes: 15,
    format: 'List to check off',
    body: '- [ ] It says what to do next\n- [ ] The phone number works\n- [ ] Someone else has read it',
    reviewed: 200,
    archived: 'The local paper no longer prints ads. Use the next-step sheet instead.',
  },
];

/** Publishes a tool as an admin, on the day it was last reviewed. */
async function publishTool(db: Database, admin: BuiltPerson, tool: DemoTool): Promise<void> {
  const { id, title, summary, type, area, minutes, format, body } = tool;
  const levels = '{starting,developing,established,strong}';
  await query(db)`
    insert into public.toolbox_items (
      id, slug, title, summary, type, area_key, levels, minutes, format, reviewed_on, state,
      body_markdown
    ) values (
      ${id}, ${`draft-${id}`}, ${title}, ${summary}, ${type}, ${area}, ${levels}, ${minutes},
      ${format}, current_date, 'draft', ${body}
    )`;
  const hasVideo = id === BREAK_EVEN_VIDEO;
  if (hasVideo) await addToolFiles(db, admin);
  const { list, video, poster } = await demoToolFiles();
  const files = hasVideo
    ? [{ id: list.id, name: 'Three questions', type: list.type, size: list.size }]
    : [];
  const shown = hasVideo
    ? {
        id: video.id,
        type: video.type,
        size: video.size,
        seconds: video.seconds,
        poster: poster.id,
      }
    : null;
  await query(db)`
    insert into public.toolbox_versions (
      item_id, version, title, summary, type, area_key, levels, minutes, format, body_markdown,
      files, video, captions, created_by, updated_by, published_by, published_at
    ) values (
      ${id}, 1, ${title}, ${summary}, ${type}, ${area}, ${levels}, ${minutes}, ${format}, ${body},
      ${JSON.stringify(files)}::text::jsonb, ${shown && JSON.stringify(shown)}::text::jsonb,
      ${hasVideo ? BREAK_EVEN_CAPTIONS : ''}, ${admin.id}, ${admin.id}, ${admin.id},
      now() - ${tool.reviewed} * interval '1 day'
    )`;
  await query(db)`
    select private.show_tool_version(v, current_date - ${tool.reviewed}::int, ${tool.slug})
    from public.toolbox_versions v where v.item_id = ${id}`;
  if (tool.archived) {
    await query(db)`
      update public.toolbox_items
      set state = 'archived', archived_at = now() - interval '30 days', archived_reason = ${tool.archived}
      where id = ${id}`;
  }
}

/** Writes the tools and both drafts as an admin. */
export async function writeTools(db: Database, admin: BuiltPerson): Promise<void> {
  for (const tool of PUBLISHED) await publishTool(db, admin, tool);
  const id = idOf('tool/price-increase-letter');
  await query(db)`
    insert into public.toolbox_items (
      id, slug, title, summary, type, area_key, practice, levels, minutes, format, reviewed_on,
      state, body_markdown
    ) values (
      ${id}, ${`draft-${id}`}, ${LETTER.title}, ${LETTER.summary}, 'template', ${LETTER.area},
      ${LETTER.practice}, '{developing,established}', 30, '', current_date, 'draft', ${LETTER.body}
    )`;
  await query(db)`
    insert into public.toolbox_versions (
      item_id, title, summary, type, area_key, practice, levels, minutes, body_markdown, created_by,
      updated_by
    ) values (
      ${id}, ${LETTER.title}, ${LETTER.summary}, 'template', ${LETTER.area}, ${LETTER.practice},
      '{developing,established}', 30, ${LETTER.body}, ${admin.id}, ${admin.id}
    )`;
  await query(db)`
    insert into public.toolbox_versions (
      item_id, based_on, title, summary, type, area_key, practice, levels, minutes, format,
      calculator, body_markdown, created_by, updated_by
    )
    select item_id, version, title, summary, type, area_key, practice, levels, minutes, format,
      calculator,
      body_markdown || e'\n\n## If you can’t fill it in\n\nLeave a cell empty and ask your coach.',
      ${admin.id}, ${admin.id}
    from public.toolbox_versions
    where item_id = (select id from public.toolbox_items where slug = 'supplier-comparison')
      and version = 1`;
}

/** What admins are writing in the toolbox: a new tool, and the next version of one that's published. */
import { type Database, query } from '#backend/supabase/functions/_shared/connection.ts';
import { type BuiltPerson, idOf } from './builders.ts';

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

/** Writes both drafts as an admin. */
export async function writeTools(db: Database, admin: BuiltPerson): Promise<void> {
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

import type { SkillArea, ToolboxItem } from '#data/toolbox.ts';
import { dayText } from '#lib/dates.ts';
import { hrefFor } from '#lib/routes.ts';
import { kindText, levelsText } from './item-words.ts';
import { Markdown } from './Markdown.tsx';

interface ToolProps {
  item: ToolboxItem;
  area: SkillArea | null;
}

/** One item at length. Drawn on the server; it needs no scripts. */
export default function ToolScreen({ item, area }: ToolProps) {
  const base = hrefFor('/dashboard/toolbox');
  return (
    <article className="print:[zoom:0.85]">
      <p className="print:hidden">
        <a className="link text-sm" href={`${base}#${item.slug}`}>
          All items
        </a>
      </p>
      <header className="mt-5 mb-8 max-w-[68ch] border-b border-line pb-6 print:mt-0 print:mb-4 print:pb-3">
        {area && <p className="eyebrow">{area.name}</p>}
        <h1 className="mt-1">{item.title}</h1>
        <p className="mt-3 text-lg text-muted print:text-base">{item.summary}</p>
        <p className="mt-4 text-sm text-muted">
          {kindText(item)} · {item.format} · {levelsText(item.levels)}
        </p>
      </header>
      <Markdown text={item.body_markdown} />
      <footer className="mt-10 max-w-[68ch] border-t border-line pt-5 text-sm text-muted">
        <p>
          Version {item.version}, last read through on {dayText(item.reviewed_on)}.
        </p>
        <ul className="mt-3 flex flex-wrap gap-x-6 gap-y-2 print:hidden">
          <li>
            <a className="link" href={`${base}?area=${item.area_key}`}>
              More for {(area?.name ?? 'this skill').toLowerCase()}
            </a>
          </li>
          <li>
            <a className="link" href={hrefFor('/case-studies/[slug]', { slug: item.area_key })}>
              How another business did it
            </a>
          </li>
        </ul>
      </footer>
    </article>
  );
}

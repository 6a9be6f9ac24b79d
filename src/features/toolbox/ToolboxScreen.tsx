import type { SkillArea, ToolboxSummary } from '#data/toolbox.ts';
import { hrefFor } from '#lib/routes.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { kindText, levelsText } from './item-words.ts';

interface ToolboxProps {
  items: ToolboxSummary[];
  areas: SkillArea[];
  /** Shows the items of this area only. */
  chosen: string | null;
}

/** The published items, area by area. Drawn on the server; it needs no scripts. */
export default function ToolboxScreen({ items, areas, chosen }: ToolboxProps) {
  const shown = areas
    .filter(({ key }) => chosen === null || key === chosen)
    .map((area) => ({ area, items: items.filter(({ area_key }) => area_key === area.key) }))
    .filter((group) => group.items.length > 0);
  return (
    <div className="flex flex-col gap-8">
      <header>
        <h1>Toolbox</h1>
        <p className="mt-2 max-w-[60ch] text-muted">
          Templates, worksheets and lists, each written to be filled in at one sitting with your own
          figures.
        </p>
      </header>
      <AreaFilter items={items} areas={areas} chosen={chosen} />
      {shown.length === 0 && (
        <EmptyState title="Nothing for this skill yet">
          Something is being written.{' '}
          <a className="link" href={hrefFor('/dashboard/toolbox')}>
            See all items
          </a>
        </EmptyState>
      )}
      {shown.map((group) => (
        <section key={group.area.key} aria-labelledby={`area-${group.area.key}`}>
          <h2 id={`area-${group.area.key}`} className="text-lg">
            {group.area.name}
          </h2>
          <ul className="mt-3 grid gap-4 md:grid-cols-2">
            {group.items.map((item) => (
              <Entry key={item.slug} item={item} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** Plain links, so that a choice has an address and needs no scripts. */
function AreaFilter({ items, areas, chosen }: ToolboxProps) {
  const counts = new Map<string, number>();
  for (const { area_key } of items) counts.set(area_key, (counts.get(area_key) ?? 0) + 1);
  const base = hrefFor('/dashboard/toolbox');
  const links = [
    { key: null, href: base, label: 'All', count: items.length },
    ...areas.map(({ key, short_name }) => ({
      key,
      href: `${base}?area=${key}`,
      label: short_name,
      count: counts.get(key) ?? 0,
    })),
  ].filter(({ count, key }) => count > 0 || key === chosen);
  return (
    <nav aria-label="Skills" className="print:hidden">
      <ul className="flex flex-wrap gap-2">
        {links.map(({ key, href, label, count }) => (
          <li key={href}>
            <a
              href={href}
              aria-current={key === chosen ? 'page' : undefined}
              className="inline-flex min-h-11 items-center gap-2 rounded-control border border-line bg-surface px-3.5 text-sm hover:bg-raised aria-[current]:border-primary aria-[current]:bg-primary-soft aria-[current]:font-semibold"
            >
              {label}
              <span className="text-xs text-muted figures">
                {count}
                <span className="sr-only"> {count === 1 ? 'item' : 'items'}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Entry({ item }: { item: ToolboxSummary }) {
  return (
    <li
      id={item.slug}
      className="card relative flex scroll-mt-24 flex-col gap-1.5 p-5 target:border-primary hover:border-edge"
    >
      <p className="text-xs text-muted">{kindText(item)}</p>
      <h3 className="text-base leading-snug">
        {/* The whole card is the link's to press. */}
        <a
          className="hover:underline before:absolute before:inset-0 before:rounded-card focus-visible:outline-none focus-visible:before:outline-[2.5px] focus-visible:before:outline-focus"
          href={`${hrefFor('/dashboard/toolbox')}?item=${item.slug}`}
        >
          {item.title}
        </a>
      </h3>
      <p className="text-sm text-muted">{item.summary}</p>
      <p className="mt-auto pt-2 text-xs text-muted">
        {levelsText(item.levels)} · {item.format}
      </p>
    </li>
  );
}

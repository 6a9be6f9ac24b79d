import { classNames } from '#ui/class-names.ts';
import { Section } from '#ui/Section.tsx';
import type { AgendaItem } from './agenda.ts';

/** What comes next and when. */
export function ComingUp({ items }: { items: readonly AgendaItem[] }) {
  return (
    <Section
      id="coming-up"
      title={items.some(({ isLate }) => isLate) ? 'Late and coming up' : 'Coming up'}
      className="card p-5 sm:p-6"
    >
      <ol className="mt-2 flex flex-col divide-y divide-line">
        {items.map(({ key, when, isLate, title, detail, href }) => (
          <li key={key} className="flex flex-col gap-0.5 py-3 last:pb-0">
            <p
              className={classNames(
                'text-xs font-semibold',
                isLate ? 'text-level-starting-ink' : 'text-primary',
              )}
            >
              {when}
            </p>
            <p className="text-sm wrap-anywhere">
              <a className="link" href={href}>
                {title}
              </a>
            </p>
            {detail && <p className="text-xs text-muted wrap-anywhere">{detail}</p>}
          </li>
        ))}
      </ol>
    </Section>
  );
}

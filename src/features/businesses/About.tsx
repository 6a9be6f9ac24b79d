import { calendarDayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import type { Facts } from '#lib/schemas/business.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';

/** The known facts as pairs of label and value; unknown ones are left out. */
function linesOf(facts: Facts): [string, string][] {
  const region = [facts.region, facts.postal_code].filter(Boolean).join(' ');
  const lines: [string, string][] = [
    ['Open', { trading: 'Yes', 'not-yet': 'Not yet', '': '' }[facts.trading]],
    ['Since', facts.start_date && calendarDayText(facts.start_date)],
    ['Industry', facts.industry],
    ['Stage', facts.stage],
    ['Home-based', { yes: 'Yes', no: 'No', '': '' }[facts.home_based]],
    ['Legal name', facts.legal_name],
    ['Business structure', facts.entity_type],
    [
      'Address',
      [facts.address_line1, facts.address_line2, facts.city, region, facts.country]
        .filter(Boolean)
        .join(', '),
    ],
    ['Phone', facts.phone],
  ];
  return lines.filter(([, value]) => value !== '');
}

export function About({ facts, editable, id }: { facts: Facts; editable: boolean; id: string }) {
  const lines = linesOf(facts);
  const said = facts.description !== '' || facts.help_wanted !== '' || facts.website !== '';
  if (lines.length === 0 && !said) {
    return (
      <EmptyState
        title="Just a name so far"
        action={
          editable && (
            <Button href={hrefFor('/dashboard/businesses/[id]/edit', { id })}>Add details</Button>
          )
        }
      >
        Add its industry, its stage and what would help. It’s all optional, and we say why we ask.
      </EmptyState>
    );
  }
  return (
    <section aria-labelledby="about" className="flex flex-col gap-4">
      <h2 id="about">About</h2>
      {facts.description && (
        <p className="max-w-[68ch] whitespace-pre-line [overflow-wrap:anywhere]">
          {facts.description}
        </p>
      )}
      {(lines.length > 0 || facts.website) && (
        <dl className="grid max-w-[68ch] grid-cols-[6.5rem_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm sm:grid-cols-[9rem_minmax(0,1fr)] sm:gap-x-6">
          {lines.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-muted">{name}</dt>
              <dd className="[overflow-wrap:anywhere]">{value}</dd>
            </div>
          ))}
          {facts.website && (
            <div className="contents">
              <dt className="text-muted">Website</dt>
              <dd className="[overflow-wrap:anywhere]">
                <a className="link" href={facts.website} rel="noopener noreferrer">
                  {facts.website.replace(/^https?:\/\/|\/$/g, '')}
                </a>
              </dd>
            </div>
          )}
        </dl>
      )}
      {facts.help_wanted && (
        <p className="rounded-control bg-raised p-4 text-sm whitespace-pre-line [overflow-wrap:anywhere]">
          <span className="block font-semibold">What would help most</span>
          {facts.help_wanted}
        </p>
      )}
    </section>
  );
}

import type { Skills } from '#data/skills.ts';
import { dayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { ComparisonDetails } from './ComparisonDetails.tsx';

interface ComparisonProps extends Pick<Skills, 'comparison' | 'trend'> {
  timeZone: string;
}

/** What changed between two attempts. The user can pick both, with or without JavaScript. */
export function ComparisonSection({ comparison, trend, timeZone }: ComparisonProps) {
  // The compared pair may be older than the attempts in `trend`; keep it selectable.
  const pair = comparison ? [comparison.earlier, comparison.later] : [];
  const options = [...new Map([...pair, ...trend].map((each) => [each.id, each])).values()]
    .toSorted((a, b) => Date.parse(b.submitted_at) - Date.parse(a.submitted_at))
    .map(({ id, submitted_at }) => ({ value: id, label: dayText(submitted_at, timeZone) }));
  return (
    <section aria-labelledby="comparison" className="card p-5 md:p-8">
      <h2 id="comparison" className="scroll-mt-20">
        What’s changed
      </h2>
      {comparison ? (
        <>
          {options.length > 2 && (
            <form
              method="get"
              action={`${hrefFor('/dashboard/skills/over-time')}#comparison`}
              className="mt-4 flex flex-wrap items-end gap-x-4 gap-y-3"
            >
              <Field
                label="Earlier"
                as={Select}
                name="earlier"
                options={options}
                defaultValue={comparison.earlier.id}
                className="grow basis-44 sm:max-w-60"
              />
              <Field
                label="Later"
                as={Select}
                name="later"
                options={options}
                defaultValue={comparison.later.id}
                className="grow basis-44 sm:max-w-60"
              />
              <Button type="submit" variant="secondary">
                Compare
              </Button>
            </form>
          )}
          <p className={options.length > 2 ? 'sr-only' : 'mt-1 text-sm text-muted'}>
            {dayText(comparison.earlier.submitted_at, timeZone)} and{' '}
            {dayText(comparison.later.submitted_at, timeZone)}
          </p>
          <ComparisonDetails comparison={comparison} />
        </>
      ) : (
        <p className="mt-2 max-w-[60ch] text-muted">
          {trend.length > 1
            ? 'Choose two different quizzes.'
            : 'Take the full quiz a second time to see which answers changed and which areas improved.'}
        </p>
      )}
    </section>
  );
}

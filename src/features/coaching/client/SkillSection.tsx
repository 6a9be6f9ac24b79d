import type { Client } from '#data/coaching-client.ts';
import { openActionOf, openAreas } from '#domain/focus.ts';
import { dayText, dueDayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Bloom } from '#ui/charts/Bloom.tsx';
import { BloomTable } from '#ui/charts/BloomTable.tsx';
import { Section } from '#ui/Section.tsx';
import { dayOfReader, type Reader } from '../when.ts';
import { nameOf } from './dialog-deps.ts';

interface SkillsProps {
  client: Client;
  reader: Reader;
}

/** The latest result and what the owner works on, if they share it. */
export function SkillSection({ client, reader }: SkillsProps) {
  const { standing, results_shared } = client;
  return (
    <Section id="skills" title="Skills" className="card scroll-mt-20 p-5 md:p-6">
      {!results_shared && (
        <p className="mt-2 max-w-[60ch] text-sm text-muted">
          Doesn’t share results. {nameOf(client)} can turn sharing on anytime.
        </p>
      )}
      {results_shared && !standing && (
        <p className="mt-2 max-w-[60ch] text-sm text-muted">
          Shares results, but hasn’t finished a quiz yet.
        </p>
      )}
      {standing && <Standing standing={standing} reader={reader} />}
      {standing && <Focus client={client} reader={reader} />}
    </Section>
  );
}

interface StandingProps {
  standing: NonNullable<Client['standing']>;
  reader: Reader;
}

function Standing({ standing, reader }: StandingProps) {
  const petals = standing.areas.map(({ area_key, name, short_name, ...score }) => ({
    key: area_key,
    label: name,
    short_label: short_name,
    ...score,
  }));
  return (
    <>
      <p className="mt-1 text-sm">
        <a
          className="link"
          href={hrefFor('/dashboard/skills/quiz/[id]', { id: standing.attempt_id })}
        >
          Results from {dayText(standing.submitted_at, reader.timeZone)}
        </a>
      </p>
      <div className="mt-4 grid items-center gap-6 md:grid-cols-[minmax(0,15rem)_minmax(0,1fr)]">
        <Bloom petals={petals} className="mx-auto w-full max-w-60" />
        {/* On a phone the drawing has all the scores. */}
        <div className="max-md:sr-only">
          <BloomTable petals={petals} caption="Their skills" />
        </div>
      </div>
    </>
  );
}

function Focus({ client, reader }: SkillsProps) {
  const areas = openAreas(client.focus);
  if (areas.length === 0) return null;
  return (
    <div className="mt-6 border-t border-line pt-4">
      <h3 className="text-base">Working on</h3>
      <ul className="mt-1 flex flex-col divide-y divide-line">
        {areas.map((area) => {
          const action = openActionOf(area);
          return (
            <li key={area.id} className="py-3 text-sm last:pb-0">
              <p className="font-semibold">{area.area_name}</p>
              <p className="text-muted wrap-anywhere">
                {action ? action.body : 'No action chosen right now.'}
              </p>
              {action && (
                <p className="mt-0.5 text-xs text-muted">
                  Due {dueDayText(action.due_on, dayOfReader(reader))}
                </p>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

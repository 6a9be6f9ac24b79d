import type { SessionClient } from '#data/coaching-client.ts';
import type { SessionProblems } from '#lib/closed-session.ts';
import { instantOf, sessionText } from '#lib/locale/dates.ts';
import type { SessionForm } from '#lib/session-form.ts';
import { Button } from '#ui/Button.tsx';
import { Chips } from '#ui/forms/Chips.tsx';
import { LengthChips, PlaceFields, TimeFields } from '../coach/PlanFields.tsx';
import { dayOfReader, type Reader } from '../when.ts';
import type { ClosingStore } from './closing-store.ts';
import { startOfNext } from './start.ts';

interface NextProps {
  store: ClosingStore;
  form: SessionForm;
  problems: SessionProblems;
  client: SessionClient;
  reader: Reader;
}

const WEEKS = [1, 2, 4];
const nameOfWeeks = (weeks: number) =>
  weeks === 1 ? 'In a week' : weeks === 2 ? 'In two weeks' : 'In four weeks';

/** The next session: one tap plans it at the same time some weeks later. */
export function NextFields({ store, form, problems, client, reader }: NextProps) {
  const { next } = form;
  const today = dayOfReader(reader);
  const plan = (weeks: number) => store.change({ next: startOfNext(form, client, weeks, today) });
  if (client.planned) {
    return (
      <p className="text-sm text-muted">
        The next session is planned: {sessionText(client.planned, reader.timeZone, today)}.
      </p>
    );
  }
  if (!next) {
    return (
      <section aria-labelledby="after" className="card p-5 md:p-6">
        <h2 id="after" className="text-lg">
          Next session
        </h2>
        <div className="mt-3 flex flex-wrap gap-2">
          {WEEKS.map((weeks) => (
            <Button
              key={weeks}
              size="small"
              variant="secondary"
              needsScript
              onClick={() => plan(weeks)}
            >
              {nameOfWeeks(weeks)}
            </Button>
          ))}
        </div>
      </section>
    );
  }
  const set = (part: Partial<typeof next>) => store.change({ next: { ...next, ...part } });
  const chosen = WEEKS.find((weeks) => startOfNext(form, client, weeks, today).day === next.day);
  return (
    <section aria-labelledby="after" className="card flex flex-col gap-5 p-5 md:p-6">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id="after" className="text-lg">
          Next session
        </h2>
        <Button size="small" variant="quiet" onClick={() => store.change({ next: null })}>
          Don’t plan one
        </Button>
      </div>
      <p className="-mt-3 text-sm text-muted">{whenText(next, reader, client.name)}</p>
      <Chips
        legend="When"
        isLegendHidden
        options={WEEKS.map((weeks) => [String(weeks), nameOfWeeks(weeks)] as const)}
        chosen={String(chosen ?? '')}
        onChoose={(weeks) => plan(Number(weeks))}
      />
      <TimeFields value={next} prefix="next." problems={problems} least={today} onChange={set} />
      <LengthChips
        minutes={next.minutes}
        error={problems['next.minutes']}
        onChange={(minutes) => set({ minutes })}
      />
      <PlaceFields
        kind={next.kind}
        place={next.place}
        error={problems['next.place']}
        onKind={(kind) => set({ kind })}
        onPlace={(place) => set({ place })}
      />
    </section>
  );
}

function whenText(next: NonNullable<SessionForm['next']>, reader: Reader, name: string): string {
  if (next.day === '' || next.time === '') return 'Choose a day and a time.';
  const at = instantOf(next.day, next.time, reader.timeZone);
  return `${sessionText(at, reader.timeZone, dayOfReader(reader))}. ${name} gets a notification once you save.`;
}

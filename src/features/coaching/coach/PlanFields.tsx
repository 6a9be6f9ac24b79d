import { SESSION_KIND_LABELS, SESSION_LENGTHS, SESSION_PLACE_LABELS } from '#domain/session.ts';
import { SESSION_KINDS, type SessionKind } from '#domain/session-values.ts';
import type { SessionProblems } from '#lib/closed-session.ts';
import { Chips } from '#ui/forms/Chips.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { ReadyTextInput } from '#ui/forms/ready-inputs.tsx';
import type { PlannedTime } from './suggested-times.ts';

const LENGTHS = [30, 45, 60, 90];
const KINDS = SESSION_KINDS.map((kind) => [kind, SESSION_KIND_LABELS[kind]] as const);

interface LengthProps {
  minutes: number;
  error?: string | undefined;
  onChange: (minutes: number) => void;
}

/** How long a session is: the usual lengths, and the one it has. */
export function LengthChips({ minutes, error, onChange }: LengthProps) {
  const all = [...new Set([...LENGTHS, minutes])].toSorted((a, b) => a - b);
  return (
    <Chips
      legend="Length in minutes"
      error={error}
      options={all.map((each) => [String(each), String(each)] as const)}
      chosen={String(minutes)}
      onChoose={(value) => onChange(Number(value))}
    />
  );
}

interface PlaceProps {
  kind: SessionKind;
  place: string;
  error?: string | undefined;
  onKind: (kind: SessionKind) => void;
  onPlace: (place: string) => void;
}

/** How and where. The question for the place depends on how they meet. */
export const PlaceFields = ({ kind, place, error, onKind, onPlace }: PlaceProps) => (
  <>
    <Chips legend="How you meet" options={KINDS} chosen={kind} onChoose={onKind} />
    <Field
      label={SESSION_PLACE_LABELS[kind]}
      optional={kind !== 'in_person'}
      as={ReadyTextInput}
      maxLength={SESSION_LENGTHS.place}
      inputMode={kind === 'phone' ? 'tel' : kind === 'online' ? 'url' : 'text'}
      error={error}
      value={place}
      onChange={({ target }) => onPlace(target.value)}
    />
  </>
);

interface TimeProps {
  /** Names the pair for screen readers, if there are several. */
  legend?: string;
  value: PlannedTime;
  /** The names of its fields in `problems`: `next.` before `day` and `time`. */
  prefix?: string;
  problems: SessionProblems;
  least?: string;
  most?: string;
  hint?: string | undefined;
  onChange: (change: Partial<PlannedTime>) => void;
}

/** A day and a time, on the coach's clock. */
export function TimeFields(props: TimeProps) {
  const { legend, value, prefix = '', problems, least, most, hint, onChange } = props;
  return (
    <fieldset>
      {legend && <legend className="sr-only">{legend}</legend>}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(9.25rem,1fr))] gap-3">
        <Field
          label={legend ? <Named legend={legend} name="Day" /> : 'Day'}
          type="date"
          as={ReadyTextInput}
          min={least}
          max={most}
          error={problems[`${prefix}day`]}
          value={value.day}
          onChange={({ target }) => onChange({ day: target.value })}
        />
        <Field
          label={legend ? <Named legend={legend} name="Time" /> : 'Time'}
          type="time"
          as={ReadyTextInput}
          step={300}
          error={problems[`${prefix}time`]}
          value={value.time}
          onChange={({ target }) => onChange({ time: target.value })}
        />
      </div>
      {hint && <p className="mt-1.5 text-xs text-muted">{hint}</p>}
    </fieldset>
  );
}

const Named = ({ legend, name }: { legend: string; name: string }) => (
  <>
    <span className="sr-only">{legend}: </span>
    {name}
  </>
);

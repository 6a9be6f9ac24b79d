import { History } from 'lucide-react';
import { useRef } from 'react';
import type { SavedField } from '#data/business-plans.ts';
import { PLAN_LABELS, PLAN_LONGEST, type PlanField, planProblem } from '#domain/plan.ts';
import type { FieldState } from '#sync/autosave.ts';
import { Button } from '#ui/Button.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { ReadyTextArea } from '#ui/forms/ready-inputs.tsx';
import { SaveWords } from '#ui/SaveStatus.tsx';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { Conflict } from '../Conflict.tsx';

interface BoxProps {
  field: PlanField;
  state: FieldState<string, SavedField>;
  /** Whether it was ever written, even if it's empty now. */
  hasHistory: boolean;
  onType: (value: string) => void;
  onChoose: (which: 'mine' | 'theirs' | 'both') => void;
  onHistory: () => void;
}

/** The number of characters left is shown from this length on. */
const NEARLY = PLAN_LONGEST - 80;

interface HistoryProps {
  field: PlanField;
  onHistory: () => void;
}

/** Opens the earlier versions of a box. */
export const HistoryButton = ({ field, onHistory }: HistoryProps) => (
  <Button size="small" variant="quiet" className="-mx-3 text-muted" needsScript onClick={onHistory}>
    <History className="size-4" aria-hidden="true" />
    History<span className="sr-only"> of {PLAN_LABELS[field].title}</span>
  </Button>
);

/** One box of the plan: its question, its text and its save status. */
export function PlanBox(props: BoxProps) {
  const { field, state, hasHistory, onType, onChoose, onHistory } = props;
  const { title, ask } = PLAN_LABELS[field];
  const { status, value } = state;
  const refused = status?.name === 'refused' ? status.reason : undefined;
  // The buttons of a conflict disappear with it, so the focus returns to the text.
  const text = useRef<HTMLTextAreaElement>(null);
  useFocusBack(text, status?.name === 'conflict');
  const left = PLAN_LONGEST - value.trim().length;
  return (
    <div className="flex min-w-0 flex-col">
      <Field
        label={title}
        hint={ask}
        as={ReadyTextArea}
        ref={text}
        rows={2}
        // Two lines while it's empty; a row's boxes are as tall as its tallest.
        className="grow [&_textarea]:min-h-18 [&_textarea]:grow"
        name={field}
        autoComplete="off"
        value={value}
        readOnly={status?.name === 'conflict'}
        error={planProblem(value) ?? refused}
        aside={<SaveWords status={status} />}
        onChange={(event: { currentTarget: { value: string } }) =>
          onType(event.currentTarget.value)
        }
      />
      <div className="flex min-h-9 items-center justify-between gap-3">
        <span className="text-xs text-muted">
          {status?.name === 'updated'
            ? `Changed by ${status.theirs.saved_by ?? 'someone else'} just now`
            : left >= 0 && value.length > NEARLY && `${left} characters left`}
        </span>
        {(hasHistory || status !== null) && <HistoryButton field={field} onHistory={onHistory} />}
      </div>
      {status?.name === 'conflict' && (
        <Conflict
          label={title}
          theirs={{ value: status.theirs.value, by: status.theirs.saved_by ?? 'Someone else' }}
          mine={value}
          both
          onChoose={onChoose}
        />
      )}
    </div>
  );
}

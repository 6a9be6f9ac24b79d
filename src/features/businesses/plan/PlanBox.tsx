import { History } from 'lucide-react';
import { useRef } from 'react';
import type { SavedField } from '#data/business-plans.ts';
import { PLAN_LABELS, PLAN_LONGEST, type PlanField, planProblem } from '#domain/plan.ts';
import type { KeptField } from '#sync/kept-fields.ts';
import { Button } from '#ui/Button.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { Conflict } from '../Conflict.tsx';
import { SavedWords } from '../SavedWords.tsx';

interface BoxProps {
  field: PlanField;
  kept: KeptField<SavedField>;
  /** Scripts run by now. */
  ready: boolean;
  onType: (value: string) => void;
  onChoose: (which: 'mine' | 'theirs' | 'both') => void;
  onHistory: () => void;
}

/** From here on the number of characters left is worth saying. */
const NEARLY = PLAN_LONGEST - 80;

/** One box of the plan: what it asks, what stands there, how safe it is. */
export function PlanBox({ field, kept, ready, onType, onChoose, onHistory }: BoxProps) {
  const { title, ask } = PLAN_LABELS[field];
  const { mark, value } = kept;
  const refused = mark?.name === 'refused' ? mark.sentence : undefined;
  // The buttons of a choice go away with it: one goes on writing.
  const text = useRef<HTMLTextAreaElement>(null);
  useFocusBack(text, mark?.name === 'conflict');
  const left = PLAN_LONGEST - value.trim().length;
  return (
    <div className="flex min-w-0 flex-col">
      <Field
        label={title}
        hint={ask}
        as={TextArea}
        ref={text}
        rows={4}
        name={field}
        autoComplete="off"
        value={value}
        readOnly={!ready || mark?.name === 'conflict'}
        error={planProblem(value) ?? refused}
        aside={<SavedWords mark={mark} />}
        onChange={(event: { currentTarget: { value: string } }) =>
          onType(event.currentTarget.value)
        }
      />
      <div className="flex min-h-9 items-center justify-between gap-3">
        <span className="text-xs text-muted">
          {mark?.name === 'renewed'
            ? `Changed by ${mark.theirs.saved_by ?? 'somebody else'} just now`
            : left >= 0 && value.length > NEARLY && `${left} characters left`}
        </span>
        <Button
          size="small"
          variant="quiet"
          className="-mr-3"
          disabled={!ready}
          onClick={onHistory}
        >
          <History className="size-4" aria-hidden="true" />
          History<span className="sr-only"> of {title}</span>
        </Button>
      </div>
      {mark?.name === 'conflict' && (
        <Conflict
          label={title}
          theirs={{ value: mark.theirs.value, by: mark.theirs.saved_by ?? 'Somebody else' }}
          mine={value}
          both
          onChoose={onChoose}
        />
      )}
    </div>
  );
}

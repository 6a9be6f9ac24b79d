import { useStore } from '@nanostores/react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import {
  type CalculatorDocument,
  type CalculatorWorksheet,
  calculatorDocument,
  VERSION_PAGE,
} from '#data/business-worksheets.ts';
import { readStored, writeStored } from '#lib/browser/stored.ts';
import { reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { answerOf, type TypedField, typedFields } from '#ui/calculators/answer.ts';
import { type CalculatorKind, calculators, signs, withSign } from '#ui/calculators/definitions.ts';
import { Field } from '#ui/forms/Field.tsx';
import { UnitInput } from '#ui/forms/UnitInput.tsx';
import { SaveConflict } from '#ui/SaveConflict.tsx';
import { SaveNotice, SaveWords } from '#ui/SaveStatus.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';
import { enabledWhenReady } from '#ui/until-ready.ts';
import { useOpenedPart } from '#ui/use-part.ts';
import { useSavingStore } from '#ui/use-saving-store.ts';
import { browserKey, createCalculatorStore } from './calculator-store.ts';

interface CalculatorProps {
  kind: CalculatorKind;
  personId: string;
  /** The calculator of the current business; null if there's none that the user can change. */
  worksheet: CalculatorWorksheet | null;
  timeZone: string;
}

const loadHistory = () => import('#ui/calculators/CalculatorHistory.tsx');

/** A calculator that keeps its numbers with the business, or else in this browser. */
function CalculatorScreen({ worksheet, ...rest }: CalculatorProps) {
  return worksheet ? <WithBusiness {...rest} worksheet={worksheet} /> : <InBrowser {...rest} />;
}

function InBrowser({ kind, personId }: Omit<CalculatorProps, 'worksheet'>) {
  const key = browserKey(personId, kind);
  const [typed, setTyped] = useState<CalculatorDocument>({});
  useEffect(() => setTyped(readStored(key, calculatorDocument) ?? {}), [key]);
  const change = (next: CalculatorDocument) => {
    setTyped(next);
    writeStored(key, next);
  };
  return (
    <Fields kind={kind} typed={typed} onType={change}>
      Your numbers stay in this browser. Nobody else sees them.
    </Fields>
  );
}

interface BusinessProps extends CalculatorProps {
  worksheet: CalculatorWorksheet;
}

function WithBusiness({ kind, personId, worksheet, timeZone }: BusinessProps) {
  const store = useSavingStore(() => createCalculatorStore(kind, worksheet, personId));
  const { status, value } = useStore(store.$fields, { ssr: 'initial' }).sheet;
  const [history, setHistory] = useState(false);
  const part = useOpenedPart(loadHistory, history, () => setHistory(false));
  return (
    <>
      {status?.name !== 'conflict' && (
        <SaveNotice className="mb-5 max-w-[68ch]" status={status} isTitled={false} />
      )}
      {status?.name === 'conflict' && (
        <SaveConflict name={status.theirs.saved_by} onChoose={store.choose}>
          <ul>
            {typedFields(kind, status.theirs.document ?? {}).map(({ field, text }) => (
              <li key={field.name}>
                {field.label}: {withSign(text, field.unit) || 'blank'}
              </li>
            ))}
          </ul>
        </SaveConflict>
      )}
      <Fields kind={kind} typed={store.parse(value)} onType={store.type}>
        Kept with {worksheet.name}. Its members and your coach can see your numbers.{' '}
        <span role="status">{status && <SaveWords status={status} />}</span>
        <Button
          size="small"
          variant="secondary"
          className="mt-3 block"
          needsScript
          onClick={() => {
            // The history should include what was just typed.
            store.flush();
            setHistory(true);
          }}
        >
          History
        </Button>
      </Fields>
      {history && part && (
        <part.CalculatorHistory
          kind={kind}
          typed={store.parse(value)}
          list={store.list}
          pageSize={VERSION_PAGE}
          timeZone={timeZone}
          onError={reportError}
          onRestore={store.restore}
          onClose={() => setHistory(false)}
        />
      )}
    </>
  );
}

interface FieldsProps {
  kind: CalculatorKind;
  typed: CalculatorDocument;
  onType: (typed: CalculatorDocument) => void;
  /** Where the numbers are kept. */
  children: ReactNode;
}

/** The longest number that's kept, in characters. */
const LONGEST = 40;

function Fields({ kind, typed, onType, children }: FieldsProps) {
  const figures = typedFields(kind, typed);
  return (
    <Section
      id={useId()}
      title={`${calculators[kind].title} with your numbers`}
      className="card mb-8 max-w-[68ch] p-5 sm:p-6"
    >
      <div className="mt-4 grid items-end gap-4 sm:grid-cols-2">
        {figures.map(({ field, text, isBlank, value }) => (
          <Field
            key={field.name}
            as={UnitInput}
            unit={signs[field.unit]}
            label={field.label}
            hint={field.hint}
            error={typeof value === 'string' && !isBlank ? value : undefined}
            inputMode="decimal"
            autoComplete="off"
            maxLength={LONGEST}
            {...enabledWhenReady()}
            value={text}
            onChange={(event) => onType({ ...typed, [field.name]: event.currentTarget.value })}
          />
        ))}
      </div>
      <output className="mt-5 block rounded-control bg-raised px-4 py-3 text-sm" aria-live="polite">
        <Answer kind={kind} figures={figures} />
      </output>
      <div className="mt-3 text-xs text-muted">{children}</div>
    </Section>
  );
}

interface AnswerProps {
  kind: CalculatorKind;
  figures: readonly TypedField[];
}

function Answer({ kind, figures }: AnswerProps) {
  const blank = figures.filter(({ isBlank }) => isBlank).length;
  const isWrong = figures.some(({ value, isBlank }) => typeof value === 'string' && !isBlank);
  if (isWrong || blank > 0) {
    return (
      <span className="text-muted">
        {isWrong
          ? 'Fix the field above to see the answer.'
          : `You’ll see the answer once ${blank === 1 ? 'the last field is' : `the ${blank} blank fields are`} filled in. Zero is fine.`}
      </span>
    );
  }
  const answer = answerOf(kind, figures);
  if (!answer) return null;
  const { headline, lines } = answer;
  return (
    <>
      <strong className="block text-xl figures">{headline}</strong>
      {lines.map((line) => (
        <span key={line} className="block text-muted">
          {line}
        </span>
      ))}
    </>
  );
}

export default screen(CalculatorScreen);

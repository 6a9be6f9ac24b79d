import { useStore } from '@nanostores/react';
import { useRef, useState } from 'react';
import { db } from '#lib/db.ts';
import { wholeText } from '#lib/locale/numbers.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { classNames } from '#ui/class-names.ts';
import { Failure } from '#ui/Failure.tsx';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { FileInput } from '#ui/forms/FileInput.tsx';
import { Notice } from '#ui/Notice.tsx';
import { Progress } from '#ui/Progress.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';
import { useFileDrop } from '#ui/use-file-drop.ts';
import { useLeaveGuard, useUnsaved } from '#ui/use-unsaved.ts';
import { ColumnStep } from './import/ColumnStep.tsx';
import { saveExample } from './import/example-list.ts';
import {
  countOutcomes,
  createImportStore,
  type ImportStep,
  type ImportStore,
} from './import/import-store.ts';
import { ResultTable } from './import/ResultTable.tsx';

// The parser is only loaded once a file is chosen.
const read = async (file: File) => (await import('./import/read-list.ts')).readList(file);

/** Imports a list of people and businesses. */
function ImportScreen() {
  const [store] = useState(() => createImportStore({ db, read }));
  const step = useStore(store.$step);
  const file = useStore(store.$file);
  const isRunning = step.name === 'running' || step.name === 'stopped';
  useLeaveGuard(isRunning && step.doing === 'import');
  useUnsaved(step.name !== 'choose');
  return (
    <div className="flex flex-col gap-8">
      <header>
        <p className="mb-2 text-sm">
          <a className="link" href={hrefFor('/admin/contacts-summary')}>
            Contacts
          </a>
        </p>
        <h1>Import a list</h1>
        <p className="mt-2 max-w-[65ch] text-muted">
          Brings people and their businesses from a CSV file. People become contacts: nobody gets an
          account until they create one themselves. When they confirm the address in the list, they
          find the business waiting and take it over.
        </p>
      </header>
      {step.name === 'choose' && <ChooseStep store={store} step={step} />}
      {step.name === 'map' && file && (
        <ColumnStep store={store} file={file} problem={step.problem} />
      )}
      {isRunning && <RunningStep store={store} step={step} />}
      {step.name === 'checked' && file && <CheckedStep store={store} />}
      {step.name === 'done' && file && <DoneStep store={store} />}
    </div>
  );
}

type StepOf<Name extends ImportStep['name']> = Extract<ImportStep, { name: Name }>;

function ChooseStep({ store, step }: { store: ImportStore; step: StepOf<'choose'> }) {
  const input = useRef<HTMLInputElement>(null);
  const choose = ([file]: File[]) => {
    if (file) void store.choose(file);
  };
  const { isOver, drop } = useFileDrop(choose);
  return (
    <Section id="file" title="Choose a file">
      <div
        {...drop}
        className={classNames(
          'mt-3 flex flex-col items-start gap-4 rounded-card border border-dashed p-6',
          isOver ? 'border-primary bg-primary-soft' : 'border-line',
        )}
      >
        <div className="max-w-[65ch] text-sm text-muted">
          <p>The file’s first line has the names of the columns.</p>
          <ul className="mt-2 flex list-disc flex-col gap-1 pl-5">
            <li>Required: email.</li>
            <li>Optional: name, phone, business, city, ZIP code and website.</li>
            <li>For the newsletter, all three of: a yes, the date and what they agreed to.</li>
          </ul>
        </div>
        <FileInput
          ref={input}
          accept=".csv,text/csv,text/plain"
          aria-label="CSV file"
          onFiles={choose}
        />
        <div className="flex flex-wrap gap-2">
          <Button needsScript onClick={() => input.current?.click()}>
            Choose a CSV file
          </Button>
          <Button variant="secondary" needsScript onClick={saveExample}>
            Download an example
          </Button>
        </div>
      </div>
      <Failure failure={step.failure} title="We can’t use this file" className="mt-4" />
    </Section>
  );
}

function RunningStep(props: { store: ImportStore; step: StepOf<'running' | 'stopped'> }) {
  const { store, step } = props;
  const { doing, done, total, failure } = step;
  const text = `${wholeText(done)} of ${wholeText(total)} rows`;
  return (
    <Section id="running" title={doing === 'check' ? 'Checking the rows' : 'Importing'}>
      <Progress value={done} max={total} label="Rows done" text={text} className="mt-4" />
      <p role="status" className="mt-2 text-sm text-muted">
        {text}
      </p>
      {step.name === 'stopped' && (
        <>
          <Failure
            failure={failure}
            title={doing === 'check' ? 'We couldn’t check the rest' : 'We couldn’t import the rest'}
            className="mt-4"
          />
          <div className="mt-4 flex flex-wrap gap-2">
            <Button onClick={() => void store.resume()}>Continue</Button>
            <Button variant="quiet" onClick={store.backToColumns}>
              Back to the columns
            </Button>
          </div>
        </>
      )}
      {doing === 'import' && (
        <p className="mt-4 max-w-[65ch] text-sm text-muted">
          Keep this page open. If it closes, import the same file again: rows that are in already
          are skipped.
        </p>
      )}
    </Section>
  );
}

function CheckedStep({ store }: { store: ImportStore }) {
  const file = useStore(store.$file);
  const results = useStore(store.$results);
  const invites = useStore(store.$invites);
  const counts = countOutcomes(results);
  const coming = counts.new + counts.changed;
  const businesses = results.filter(({ business }) => business === 'new').length;
  if (!file) return null;
  return (
    <Section id="checked" title="What will happen">
      <Notice live="polite" className="mt-3" tone={counts.refused > 0 ? 'caution' : 'good'}>
        {wholeText(counts.new)} new {counts.new === 1 ? 'contact' : 'contacts'} and{' '}
        {wholeText(businesses)} new {businesses === 1 ? 'business' : 'businesses'}.{' '}
        {wholeText(counts.changed)} known {counts.changed === 1 ? 'contact gets' : 'contacts get'}{' '}
        something added, {wholeText(counts.there)} {counts.there === 1 ? 'row is' : 'rows are'}{' '}
        already there, and {wholeText(counts.refused)} {counts.refused === 1 ? 'is' : 'are'}{' '}
        refused. Nothing has changed yet.
      </Notice>
      <div className="mt-5 flex flex-col gap-4">
        {businesses > 0 && (
          <Checkbox
            label="Email the owners of new businesses an invitation to create an account"
            checked={invites}
            onChange={({ target }) => store.$invites.set(target.checked)}
          />
        )}
        <div className="flex flex-wrap gap-2">
          <Button disabled={coming === 0} onClick={() => void store.send()}>
            Import {wholeText(coming)} {coming === 1 ? 'row' : 'rows'}
          </Button>
          <Button variant="secondary" onClick={store.backToColumns}>
            Back to the columns
          </Button>
          <Button variant="quiet" onClick={store.restart}>
            Choose another file
          </Button>
        </div>
        <ResultTable file={file} results={results} />
      </div>
    </Section>
  );
}

function DoneStep({ store }: { store: ImportStore }) {
  const file = useStore(store.$file);
  const results = useStore(store.$results);
  const counts = countOutcomes(results);
  if (!file) return null;
  return (
    <Section id="done" title="Imported">
      <Notice live="polite" className="mt-3" tone="good">
        {wholeText(counts.new)} new {counts.new === 1 ? 'contact' : 'contacts'},{' '}
        {wholeText(counts.changed)} added to, {wholeText(counts.there)} already there,{' '}
        {wholeText(counts.refused)} refused.
      </Notice>
      <div className="mt-4 mb-6 flex flex-wrap gap-2">
        <Button href={`${hrefFor('/admin/contacts-summary')}?source=imported`}>
          See imported contacts
        </Button>
        <Button variant="secondary" onClick={store.restart}>
          Import another file
        </Button>
      </div>
      <ResultTable file={file} results={results} />
    </Section>
  );
}

export default screen(ImportScreen);

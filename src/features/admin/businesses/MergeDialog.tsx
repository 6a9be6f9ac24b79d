import * as v from 'valibot';
import {
  type AnyBusiness,
  getMergePreview,
  type ListedBusiness,
  listAllBusinesses,
  type MergePreview,
  mergeBusinesses,
} from '#data/admin-businesses.ts';
import { allBusinessesFilter, MERGED_PARTS } from '#domain/admin-businesses.ts';
import { db } from '#lib/db.ts';
import { textUpTo } from '#lib/schemas/fields.ts';
import { reportError } from '#stores/session.ts';
import { Failure } from '#ui/Failure.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { FormDialog } from '#ui/forms/FormDialog.tsx';
import { RadioList } from '#ui/forms/RadioList.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { useSchemaForm } from '#ui/forms/use-schema-form.ts';
import { Notice } from '#ui/Notice.tsx';
import { useAnswer } from '#ui/use-answer.ts';
import { useSearch } from '../use-search.ts';

interface MergeDialogProps {
  /** The business that's merged into another. */
  business: AnyBusiness;
  onClose: () => void;
  onMerged: (into: { id: string; name: string }) => Promise<void>;
}

const input = v.object({
  into: v.pipe(v.string(), v.minLength(1, 'Choose the business to keep.')),
  reason: v.pipe(
    textUpTo(2000, 'Keep it to 2,000 characters.'),
    v.minLength(3, 'Say why, for the audit log.'),
  ),
});

const MOST_FOUND = 6;

async function search(words: string, but: string): Promise<ListedBusiness[]> {
  const filter = { ...allBusinessesFilter.read(new URLSearchParams()), words };
  const { rows } = await listAllBusinesses(await db(), filter, MOST_FOUND + 1);
  return rows.filter(({ id }) => id !== but).slice(0, MOST_FOUND);
}

/** What tells it apart from another one of that name. */
function labelOf({ name, city, region, owners, archived_at }: ListedBusiness): string {
  const more = [
    [city, region].filter(Boolean).join(', '),
    owners.map((owner) => owner.name).join(', '),
    archived_at && 'archived',
  ].filter(Boolean);
  return more.length > 0 ? `${name} (${more.join('; ')})` : name;
}

/** Finds the other business, shows what would move, and merges with a reason. */
export function MergeDialog({ business, onClose, onMerged }: MergeDialogProps) {
  const { words, setWords, found, shown, chosen, choose } = useSearch(
    (typed) => search(typed, business.id),
    business.name,
  );
  const preview = useAnswer(
    chosen && (async () => getMergePreview(await db(), business.id, chosen.id)),
    reportError,
    [chosen?.id],
  );
  const fields = useSchemaForm<{ into: string; reason: string }>(
    input,
    async ({ into, reason }) => {
      await mergeBusinesses(await db(), business.id, into, reason);
      await onMerged({ id: into, name: chosen?.name ?? '' });
      onClose();
    },
    { guarded: true, defaults: { into: '', reason: '' }, onError: reportError },
  );
  const choice = fields.form.register('into');
  return (
    <FormDialog
      title={`Merge ${business.name} into another business?`}
      description="For one business that was added twice. Everything moves to the one you choose here, and this one is archived. You can undo it for 30 days."
      action="Merge"
      danger
      fields={fields}
      onClose={onClose}
    >
      <Field
        label="Find the business to keep"
        hint="By name, city, postal code or industry."
        type="search"
        maxLength={100}
        autoComplete="off"
        value={words}
        onChange={({ target }: { target: HTMLInputElement }) => setWords(target.value)}
      />
      <Failure failure={found.failure} onRetry={found.retry} />
      {shown.length > 0 ? (
        <RadioList
          legend="Keep"
          options={shown.map((each) => [each.id, labelOf(each)])}
          error={fields.errorOf('into')}
          {...choice}
          onChange={(event) => {
            choose(event.target.value);
            return choice.onChange(event);
          }}
        />
      ) : (
        <p role="status" className="text-sm text-muted">
          {found.answer ? 'No other business matches.' : 'Searching…'}
        </p>
      )}
      <Failure failure={preview.failure} onRetry={preview.retry} />
      {chosen && preview.answer && (
        <Preview from={business.name} into={chosen.name} preview={preview.answer} />
      )}
      <Field
        label="Reason"
        hint="Other admins see it in the audit log."
        as={TextArea}
        rows={3}
        {...fields.field('reason')}
      />
      <Failure failure={fields.failure} />
    </FormDialog>
  );
}

const amount = (count: number, name: string) => {
  const [one = name, many = name] = MERGED_PARTS[name] ?? [];
  return `${count} ${count === 1 ? one : many}`;
};

interface PreviewProps {
  from: string;
  into: string;
  preview: MergePreview;
}

function Preview({ from, into, preview: { parts: unsorted, blockers } }: PreviewProps) {
  const order = Object.keys(MERGED_PARTS);
  const parts = unsorted.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  if (blockers.length > 0) {
    return (
      <Notice tone="danger" live="polite" title="They can’t be merged yet">
        <ul>
          {blockers.map((blocker) => (
            <li key={blocker}>{blocker}</li>
          ))}
        </ul>
      </Notice>
    );
  }
  const moving = parts.filter(({ moves }) => moves > 0);
  const staying = parts.filter(({ stays }) => stays > 0);
  return (
    <Notice live="polite" title={`What moves to ${into}`}>
      <p>
        {moving.length > 0
          ? `${moving.map(({ name, moves }) => amount(moves, name)).join(', ')}.`
          : 'Nothing: it’s empty.'}
      </p>
      {staying.length > 0 && (
        <>
          <p className="mt-3 font-semibold">What stays in {from}</p>
          <ul>
            {staying.map(({ name, stays }) => (
              <li key={name}>
                {amount(stays, name)}: {MERGED_PARTS[name]?.[2]}.
              </li>
            ))}
          </ul>
        </>
      )}
    </Notice>
  );
}

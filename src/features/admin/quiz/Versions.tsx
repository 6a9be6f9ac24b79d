import { useState } from 'react';
import {
  createQuizDraft,
  discardQuizDraft,
  type ListedVersion,
  listQuizVersions,
} from '#data/quiz-versions.ts';
import { db } from '#lib/db.ts';
import { shortDayText } from '#lib/locale/dates.ts';
import { wholeText } from '#lib/locale/numbers.ts';
import { newId } from '#lib/new-id.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Section } from '#ui/Section.tsx';
import { useAction } from '#ui/use-action.ts';

interface VersionsProps {
  versions: ListedVersion[];
  timeZone: string;
}

/** Days until a discarded draft is deleted; `private.delete_discarded_quiz_drafts` has the same. */
const KEPT = 30;

/** The versions of the quiz: drafting the next one, and what became of the others. */
export function Versions({ versions: initial, timeZone }: VersionsProps) {
  const [versions, setVersions] = useState(initial);
  const { pending, failure, run } = useAction(reportError);
  const draft = versions.find(({ state, discarded_at }) => state === 'draft' && !discarded_at);
  const published = versions.find(({ state }) => state === 'published');
  // Kept, so that a click after a lost connection drafts the same one.
  const [id] = useState(newId);
  const begin = (from: string) =>
    run(async () => {
      const begun = await createQuizDraft(await db(), id, from);
      location.assign(hrefFor('/admin/quiz/[id]', { id: begun }));
      return 'leaving';
    });
  const restore = (each: ListedVersion) =>
    run(async () => {
      const client = await db();
      await discardQuizDraft(client, each.id, false);
      setVersions(await listQuizVersions(client));
    });
  return (
    <Section id="versions" title="Versions" className="flex flex-col gap-4">
      <ul className="card divide-y divide-line px-5">
        {versions.map((each) => (
          <li
            key={each.id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-4"
          >
            <div className="min-w-0">
              <p>
                <a
                  className="link font-semibold"
                  href={hrefFor('/admin/quiz/[id]', { id: each.id })}
                >
                  Version {each.number}
                </a>{' '}
                <span className="text-sm text-muted">· {stateOf(each, timeZone)}</span>
              </p>
              <p className="mt-0.5 text-sm text-muted">{factsOf(each)}</p>
              {each.published_because && (
                <p className="mt-0.5 max-w-[60ch] text-sm wrap-anywhere">
                  {each.published_because}
                </p>
              )}
            </div>
            {each.discarded_at && !draft && (
              <Button
                size="small"
                variant="secondary"
                needsScript
                pending={pending}
                onClick={() => void restore(each)}
              >
                Restore
                <span className="sr-only"> the draft of version {each.number}</span>
              </Button>
            )}
            {each.state === 'retired' && !draft && (
              <Button
                size="small"
                variant="secondary"
                needsScript
                pending={pending}
                onClick={() => void begin(each.id)}
              >
                Start a draft from version {each.number}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Failure failure={failure} />
      <div>
        {draft ? (
          <Button href={hrefFor('/admin/quiz/[id]', { id: draft.id })}>
            Continue with the draft
          </Button>
        ) : (
          published && (
            <Button needsScript pending={pending} onClick={() => void begin(published.id)}>
              Draft a new version
            </Button>
          )
        )}
      </div>
    </Section>
  );
}

const DAY = 86_400_000;

function stateOf(version: ListedVersion, timeZone: string): string {
  const { state, created_at, published_at, discarded_at } = version;
  const day = (at: string | number) => shortDayText(new Date(at).toISOString(), timeZone);
  if (discarded_at) {
    return `Discarded, and deleted on ${day(Date.parse(discarded_at) + KEPT * DAY)}`;
  }
  return published_at
    ? `${state === 'retired' ? 'Retired; p' : 'P'}ublished on ${day(published_at)}`
    : `Draft, started on ${day(created_at)}`;
}

function factsOf(version: ListedVersion): string {
  const { questions, from_number, state, started, finished, published_by_name } = version;
  return [
    from_number === null ? '' : `From version ${from_number}`,
    `${questions} questions`,
    state === 'draft'
      ? ''
      : `${wholeText(started)} full quizzes started, ${wholeText(finished)} finished (first looks aren’t counted)`,
    published_by_name ? `published by ${published_by_name}` : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

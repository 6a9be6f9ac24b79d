import { useMemo } from 'react';
import { type ListedAttempt, listAllAttempts } from '#data/admin-attempts.ts';
import type { ListChoices } from '#data/admin-lists.ts';
import type { ListedVersion } from '#data/quiz-versions.ts';
import { ATTEMPT_STATE_LABELS, type AttemptFilter, attemptFilter } from '#domain/admin-attempts.ts';
import { ATTEMPT_STATES } from '#domain/attempt.ts';
import type { ListPage } from '#domain/list.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { AdminList, useAdminList } from './list/AdminList.tsx';
import { columnsIn, nameOf } from './quiz/attempt-columns.tsx';
import { useSettingAside } from './quiz/use-setting-aside.tsx';
import { Versions } from './quiz/Versions.tsx';

interface AttemptsProps {
  filter: AttemptFilter;
  page: ListPage<ListedAttempt> & { choices: ListChoices | null };
  versions: ListedVersion[];
  /** The reader's IANA time zone. */
  timeZone: string;
}

const choicesWith = (choices: ListChoices | null) => [
  {
    key: 'state' as const,
    label: 'State',
    any: 'Any',
    options: ATTEMPT_STATES.map((value) => ({ value, label: ATTEMPT_STATE_LABELS[value] })),
  },
  { key: 'version' as const, label: 'Version', any: 'Any', options: choices?.version ?? [] },
  {
    key: 'sort' as const,
    label: 'Sort by',
    options: [
      { value: 'newest', label: 'Newest' },
      { value: 'oldest', label: 'Oldest' },
    ],
  },
];

/**
 * The versions of the quiz, and who took it: how far they got, and setting a result aside. Never what
 * they answered.
 */
function AttemptsScreen({ filter, page, versions, timeZone }: AttemptsProps) {
  const list = useAdminList<ListedAttempt, AttemptFilter>(
    { path: hrefFor('/admin/quiz'), codec: attemptFilter, read: listAllAttempts },
    { filter, page },
  );
  const { ask, dialog, heading } = useSettingAside(timeZone, () =>
    list.choose({ place: list.$filter.get().place }),
  );
  const columns = useMemo(() => columnsIn(timeZone), [timeZone]);
  return (
    <div className="flex flex-col gap-6">
      <h1 ref={heading} tabIndex={-1}>
        Quizzes
      </h1>
      <Versions versions={versions} timeZone={timeZone} />
      <div>
        <h2 className="text-lg">Who took it</h2>
        <p className="mt-1 max-w-[60ch] text-sm text-muted">
          Answers and scores belong to the people who gave them, so they aren’t here.
        </p>
      </div>
      <AdminList
        list={list}
        codec={attemptFilter}
        caption="Quizzes"
        noun={['quiz', 'quizzes']}
        columns={columns}
        nameOf={nameOf}
        onlyLinks
        onPress={ask}
        searchBy="business or person"
        choices={choicesWith(page.choices)}
        days={[{ key: 'since', label: 'Finished since' }]}
        name="quizzes"
        empty={
          <EmptyState title="No quizzes yet">
            When someone starts the quiz, it shows up here.
          </EmptyState>
        }
      />
      {dialog}
    </div>
  );
}

export default screen(AttemptsScreen);

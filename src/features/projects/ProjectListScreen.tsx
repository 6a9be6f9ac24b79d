import { useStore } from '@nanostores/react';
import { Plus } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { ListedProject, ProjectPage } from '#data/project-list.ts';
import type { Area } from '#data/projects.ts';
import type { Role } from '#domain/person.ts';
import { PROJECT_STATUSES, STATUS_LABELS } from '#domain/project.ts';
import { isNarrowed, type ProjectFilter } from '#domain/project-list.ts';
import { db } from '#lib/db.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { createSavedViews } from '#stores/saved-views.ts';
import { sessionEnded } from '#stores/session.ts';
import { addFailureToast } from '#stores/toasts.ts';
import { whenBack } from '#stores/when-back.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { type BulkAction, DataTable } from '#ui/table/DataTable.tsx';
import { ViewSwitch } from '#ui/table/ViewSwitch.tsx';
import { ProjectBoard } from './list/ProjectBoard.tsx';
import { ProjectFilters } from './list/ProjectFilters.tsx';
import { projectColumns } from './list/project-columns.tsx';
import { createProjectListStore, type ProjectListStore } from './list/project-list-store.ts';

interface ListProps {
  filter: ProjectFilter;
  page: ProjectPage;
  /** The business that's shown; null for a coach, who sees all clients' projects. */
  business: { id: string; name: string } | null;
  /** Whether a project can be created here: a member may, a coach may not. */
  mayCreate: boolean;
  role: Role;
  /** The reader's IANA time zone and the day there. */
  timeZone: string;
  today: string;
}

const NEW = '/dashboard/projects/new';

/** The projects of a business, as a table or a board. */
function ProjectListScreen(props: ListProps) {
  const { business, mayCreate, role, today, timeZone } = props;
  const [store] = useState(() =>
    createProjectListStore(
      {
        db,
        businessId: business?.id ?? null,
        showAddress: (address) => history.replaceState(null, '', address),
        signedOut: sessionEnded,
        showFailure: addFailureToast,
      },
      { filter: props.filter, page: props.page },
    ),
  );
  const filter = useStore(store.$filter, { ssr: 'initial' });
  const { rows } = useStore(store.$page, { ssr: 'initial' });
  const areas = props.page.areas ?? [];
  useEffect(() => whenBack(store.retry), [store]);
  return (
    <div data-wide className="flex flex-col gap-6">
      <Head business={business?.name ?? null} mayCreate={mayCreate} role={role} />
      {rows.length === 0 && !isNarrowed(filter) && isBlank(store) ? (
        <NoProjects mayCreate={mayCreate} role={role} />
      ) : (
        <>
          <ViewSwitch
            views={VIEWS}
            shown={filter.view}
            hrefOf={(view) => store.hrefOf({ view })}
            onChoose={(view) => void store.choose({ view })}
          />
          <ProjectFilters
            filter={filter}
            areas={areas}
            onChoose={(change) => void store.choose(change)}
          />
          <Results
            store={store}
            today={today}
            timeZone={timeZone}
            areas={areas}
            manyBusinesses={business === null}
            mayMove={mayCreate}
          />
        </>
      )}
    </div>
  );
}

interface HeadProps extends Pick<ListProps, 'mayCreate' | 'role'> {
  /** Its name; null for a coach, who sees all clients' projects. */
  business: string | null;
}

function Head({ business, mayCreate, role }: HeadProps) {
  return (
    <header className="flex flex-wrap items-start justify-between gap-4">
      <div className="min-w-0">
        <h1>Projects</h1>
        {role !== 'admin' && (
          <p className="mt-2 max-w-[60ch] text-muted wrap-anywhere">
            {business === null
              ? 'What your clients are working on.'
              : `What ${business} is working on, one outcome at a time.`}
          </p>
        )}
      </div>
      {mayCreate && (
        <Button href={hrefFor(NEW)}>
          <Plus className="size-4" aria-hidden="true" />
          New project
        </Button>
      )}
    </header>
  );
}

/** Whether there are no projects at all, in any status. */
const isBlank = (store: ProjectListStore) =>
  Object.values(store.$page.get().counts ?? {}).every((count) => count === 0);

function NoProjects({ mayCreate, role }: Pick<ListProps, 'mayCreate' | 'role'>) {
  if (role === 'admin') {
    return (
      <EmptyState
        title="You don’t belong to a business"
        action={<Button href={hrefFor('/admin/projects')}>See all projects</Button>}
      >
        Owners and coaches see their projects here. As an admin, you can see them all.
      </EmptyState>
    );
  }
  if (!mayCreate) {
    return (
      <EmptyState title="No projects yet">
        When a client starts one, you’ll see it here with its next task.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No projects yet"
      action={<Button href={hrefFor(NEW)}>Start a project</Button>}
    >
      A project is one thing you want to change in the next month or two, with the tasks that get
      you there. Start from{' '}
      <a className="link" href={hrefFor('/dashboard/skills')}>
        what the quiz recommends
      </a>{' '}
      or from scratch.
    </EmptyState>
  );
}

const VIEWS = [
  ['table', 'Table'],
  ['board', 'Board'],
] as const;

interface ResultsProps {
  store: ProjectListStore;
  areas: Area[];
  today: string;
  timeZone: string;
  manyBusinesses: boolean;
  mayMove: boolean;
}

/** The matching projects, as a table or a board. */
function Results(props: ResultsProps) {
  const { store, areas, today, timeZone, manyBusinesses, mayMove } = props;
  const filter = useStore(store.$filter, { ssr: 'initial' });
  const [views] = useState(() => createSavedViews({ db, signedOut: sessionEnded }, 'projects'));
  const columns = useMemo(
    () => projectColumns({ areas, today, timeZone, manyBusinesses }),
    [areas, today, timeZone, manyBusinesses],
  );
  const empty = <NothingFits store={store} filter={filter} />;
  return (
    <section aria-label="Results" className="flex flex-col gap-4">
      {filter.view === 'board' ? (
        <ProjectBoard store={store} today={today} manyBusinesses={manyBusinesses} empty={empty} />
      ) : (
        <DataTable<ListedProject>
          caption="Projects"
          noun={['project', 'projects']}
          columns={columns}
          list={store}
          empty={empty}
          nameOf={({ title }) => title}
          {...(mayMove && { actions: (rows) => bulkMoves(store, rows) })}
          csvName="projects"
          views={views}
        />
      )}
    </section>
  );
}

/** Bulk actions for the moves that all of these projects may make without a note. */
function bulkMoves(store: ProjectListStore, rows: readonly ListedProject[]): BulkAction[] {
  return PROJECT_STATUSES.filter((status) =>
    rows.every(({ moves }) => moves.some(({ to, note }) => to === status && !note)),
  ).map((to) => ({
    label: `Move to “${STATUS_LABELS[to]}”`,
    done: `moved to “${STATUS_LABELS[to]}”`,
    onRun: () => {
      for (const project of rows) void store.move(project, { to, note: false }, '');
    },
  }));
}

function NothingFits({ store, filter }: { store: ProjectListStore; filter: ProjectFilter }) {
  const narrowed = isNarrowed(filter);
  return (
    <EmptyState
      title={narrowed ? 'No matches' : 'No open projects'}
      action={
        <Button
          variant="secondary"
          onClick={() =>
            void store.choose(
              narrowed
                ? { words: '', area: null, status: 'open' }
                : { view: 'table', status: 'all' },
            )
          }
        >
          {narrowed ? 'Show all open projects' : 'Show all projects'}
        </Button>
      }
    >
      {narrowed ? 'No projects match your search and filters.' : 'Everything’s done or canceled.'}
    </EmptyState>
  );
}

export default screen(ProjectListScreen);

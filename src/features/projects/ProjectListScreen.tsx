import { useStore } from '@nanostores/react';
import { Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ProjectPage } from '#data/projects.ts';
import { isNarrowed, type ProjectFilter, projectFilter } from '#domain/project.ts';
import { db } from '#lib/db.ts';
import { hrefFor } from '#lib/routes.ts';
import { sessionEnded } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { whenBack } from '#stores/when-back.ts';
import { Button } from '#ui/Button.tsx';
import { classNames } from '#ui/class-names.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Failure } from '#ui/Failure.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { ProjectBoard } from './list/ProjectBoard.tsx';
import { ProjectFilters } from './list/ProjectFilters.tsx';
import { ProjectTable } from './list/ProjectTable.tsx';
import { createProjectListStore, type ProjectListStore } from './list/project-list-store.ts';

interface ListProps {
  filter: ProjectFilter;
  page: ProjectPage;
  /** The business that is shown; null for a coach, who reads those of all clients. */
  business: { id: string; name: string } | null;
  /** Whether a project can be made here: a member may, a coach may not. */
  mayCreate: boolean;
  /** The reader's IANA time zone and the day there. */
  timeZone: string;
  today: string;
}

const path = () => hrefFor('/dashboard/projects');
const NEW = '/dashboard/projects/new';

/** The projects of a business, as a table or a board. */
function ProjectListScreen(props: ListProps) {
  const { business, mayCreate, today, timeZone } = props;
  const [store] = useState(() =>
    createProjectListStore(
      {
        db,
        businessId: business?.id ?? null,
        address: (filter) => history.replaceState(null, '', path() + projectFilter.write(filter)),
        signedOut: sessionEnded,
        failed: (project, error, again, note) =>
          addToast({
            tone: 'bad',
            lasting: note !== '',
            title: `“${project.title}” stays where it was`,
            text: error.message,
            action: { label: 'Try again', onPress: again },
          }),
      },
      { filter: props.filter, page: props.page },
    ),
  );
  const filter = useStore(store.$filter, { ssr: 'initial' });
  const projects = useStore(store.$projects, { ssr: 'initial' });
  const areas = props.page.areas ?? [];
  useEffect(() => whenBack(store.retry), [store]);
  return (
    <div data-wide className="flex flex-col gap-6">
      <header className="flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0">
          <h1>Projects</h1>
          <p className="mt-2 max-w-[60ch] text-muted wrap-anywhere">
            {business
              ? `What ${business.name} is working on, one outcome at a time.`
              : 'What your clients are working on.'}
          </p>
        </div>
        {mayCreate && (
          <Button href={hrefFor(NEW)}>
            <Plus className="size-4" aria-hidden="true" />
            New project
          </Button>
        )}
      </header>
      {projects.length === 0 && !isNarrowed(filter) && isBlank(store) ? (
        <NoProjects mayCreate={mayCreate} />
      ) : (
        <>
          <ViewSwitch filter={filter} onView={(view) => void store.choose({ view })} />
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
          />
        </>
      )}
    </div>
  );
}

/** Whether there is not one project, of any status. */
const isBlank = (store: ProjectListStore) =>
  Object.values(store.$counts.get() ?? {}).every((count) => count === 0);

function NoProjects({ mayCreate }: { mayCreate: boolean }) {
  if (!mayCreate) {
    return (
      <EmptyState title="No projects yet">
        When a client starts one, it stands here with its next task.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No projects yet" action={<Button href={hrefFor(NEW)}>Start one</Button>}>
      A project is one thing that should be different in a month or two, with the tasks that get you
      there. Start from{' '}
      <a className="link" href={hrefFor('/dashboard/skills')}>
        what the quiz recommends
      </a>
      , or from a blank page.
    </EmptyState>
  );
}

const VIEWS = [
  ['table', 'Table'],
  ['board', 'Board'],
] as const;

/** Links, so that a view has an address; pressed with scripts, nothing is loaded anew. */
function ViewSwitch({
  filter,
  onView,
}: {
  filter: ProjectFilter;
  onView: (view: ProjectFilter['view']) => void;
}) {
  return (
    <nav aria-label="View" className="-mb-2">
      <ul className="inline-flex rounded-control border border-line p-0.5">
        {VIEWS.map(([view, label]) => (
          <li key={view}>
            <a
              href={path() + projectFilter.write({ ...filter, view })}
              aria-current={filter.view === view ? 'page' : undefined}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                event.preventDefault();
                onView(view);
              }}
              className="inline-flex min-h-10 items-center rounded-[0.55rem] pointer-coarse:min-h-11 px-4 text-sm text-muted hover:text-ink aria-[current]:bg-primary-soft aria-[current]:font-semibold aria-[current]:text-ink"
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface ResultsProps {
  store: ProjectListStore;
  areas: { key: string; name: string }[];
  today: string;
  timeZone: string;
  manyBusinesses: boolean;
}

/** What was found, and how it stands. */
function Results({ store, areas, today, timeZone, manyBusinesses }: ResultsProps) {
  const filter = useStore(store.$filter, { ssr: 'initial' });
  const projects = useStore(store.$projects, { ssr: 'initial' });
  const counts = useStore(store.$counts, { ssr: 'initial' });
  const more = useStore(store.$more, { ssr: 'initial' });
  const state = useStore(store.$state, { ssr: 'initial' });
  const clear = () => void store.choose({ words: '', area: null, status: 'open' });
  return (
    <section
      aria-label="Found"
      aria-busy={state.name === 'loading'}
      className="flex flex-col gap-4"
    >
      <p role="status" className="sr-only">
        {state.name === 'ready' && foundWords(projects.length, more)}
      </p>
      {state.name === 'failed' && (
        <Failure failure={state.error} onRetry={store.retry} title="The list could not be read" />
      )}
      <div className={classNames('transition-opacity', state.name === 'loading' && 'opacity-60')}>
        {projects.length === 0 ? (
          <EmptyState
            title="Nothing fits"
            action={
              <Button variant="secondary" onClick={clear}>
                Show all open ones
              </Button>
            }
          >
            {isNarrowed(filter)
              ? 'No project fits these words and choices.'
              : 'Everything is done or canceled. Choose “All” to see it.'}
          </EmptyState>
        ) : filter.view === 'board' ? (
          <ProjectBoard
            projects={projects}
            counts={counts}
            today={today}
            manyBusinesses={manyBusinesses}
            onMore={(status) => void store.more(status)}
            onMove={(project, step, note) => void store.move(project, step, note)}
          />
        ) : (
          <div className="card p-5 md:p-6">
            <ProjectTable
              projects={projects}
              areas={areas}
              sort={filter.sort}
              onSort={(sort) => void store.choose({ sort })}
              today={today}
              timeZone={timeZone}
              manyBusinesses={manyBusinesses}
            />
          </div>
        )}
      </div>
      {filter.view === 'table' && more && (
        <div>
          <Button
            variant="secondary"
            pending={state.name === 'loading'}
            onClick={() => void store.more()}
          >
            Show more
          </Button>
        </div>
      )}
    </section>
  );
}

const foundWords = (found: number, more: boolean) =>
  `${found}${more ? ' or more' : ''} ${found === 1 && !more ? 'project' : 'projects'}.`;

export default screen(ProjectListScreen);

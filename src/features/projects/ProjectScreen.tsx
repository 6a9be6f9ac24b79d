import { useStore } from '@nanostores/react';
import { useState } from 'react';
import type { ProjectView } from '#data/projects.ts';
import { db } from '#lib/db.ts';
import { dayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { writeHref } from '#lib/routing/write-href.ts';
import { sessionEnded } from '#stores/session.ts';
import { addFailureToast } from '#stores/toasts.ts';
import { pageSync } from '#sync/page-sync.ts';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { FileSection } from './project/FileSection.tsx';
import { createFileStore } from './project/file-store.ts';
import { createHistoryStore } from './project/history-store.ts';
import { ProjectDetails } from './project/ProjectDetails.tsx';
import { ProjectSteps } from './project/ProjectSteps.tsx';
import { createProjectStore } from './project/project-store.ts';
import { UpdateSection } from './project/UpdateSection.tsx';
import { TaskSection } from './tasks/TaskSection.tsx';
import { TaskStore } from './tasks/task-store.ts';

interface ProjectProps {
  view: ProjectView;
  reader: { userId: string; fullName: string; timeZone: string };
  today: string;
}

/** Creates the stores of one page, one for each part of a project. */
function createStores({ view, reader }: ProjectProps) {
  const deps = {
    db,
    signedOut: sessionEnded,
    showFailure: addFailureToast,
    openSync: () => pageSync(reader.userId),
  };
  const { id } = view.project;
  const project = createProjectStore(deps, view);
  return {
    project,
    tasks: new TaskStore({ ...deps, counted: project.count }, view),
    history: createHistoryStore({ ...deps, name: reader.fullName }, id, view.history),
    files: createFileStore(deps, id, view.files),
  };
}

/** One project: its status, tasks, updates, details and files. */
function ProjectScreen(props: ProjectProps) {
  const { view, reader, today } = props;
  const [stores] = useState(() => createStores(props));
  const project = useStore(stores.project.$project, { ssr: 'initial' });
  const open = !view.archived;
  const member = open && view.right !== 'share';
  return (
    <div className="flex flex-col gap-6">
      <Head view={view} title={project.title} />
      {view.archived && (
        <Notice tone="caution" title="This business is archived">
          Its projects are read-only.
        </Notice>
      )}
      {view.wrike && <InWrike {...view.wrike} timeZone={reader.timeZone} />}
      <ProjectSteps
        store={stores.project}
        mayMove={member}
        today={today}
        onStep={stores.history.stepped}
      />
      <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(18rem,22rem)] lg:items-start">
        <div className="flex min-w-0 flex-col gap-5">
          <TaskSection store={stores.tasks} project={project} mayEdit={member} today={today} />
          <UpdateSection
            store={stores.history}
            timeZone={reader.timeZone}
            mayWrite={open}
            right={view.right}
          />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <ProjectDetails
            store={stores.project}
            areas={view.areas}
            engagements={view.engagements}
            mayEdit={open}
            shared={view.right === 'share'}
            today={today}
            timeZone={reader.timeZone}
          />
          <FileSection
            store={stores.files}
            mayOpen={view.right !== 'admin'}
            mayChange={!open || view.right === 'admin' ? 'none' : member ? 'all' : 'own'}
            timeZone={reader.timeZone}
          />
        </div>
      </div>
    </div>
  );
}

/** Says that our team has a copy, and of what. */
const InWrike = (props: NonNullable<ProjectView['wrike']> & { timeZone: string }) => (
  <Notice
    title={
      props.is_followed
        ? 'Our team has a copy of this project in Wrike'
        : 'Our team has an older copy of this project in Wrike'
    }
  >
    Since {dayText(props.since, props.timeZone)}, the people of our team who work in Wrike see its
    title, outcome, baseline, dates, status and tasks. Updates, files and messages aren’t copied.
    {!props.is_followed && ' What changes here isn’t copied anymore.'}
  </Notice>
);

function Head({ view, title }: { view: ProjectView; title: string }) {
  const isAdmin = view.right === 'admin';
  const id = view.project.business_id;
  return (
    <header>
      <p className="text-sm">
        <a className="link" href={hrefFor(isAdmin ? '/admin/projects' : '/dashboard/projects')}>
          Projects
        </a>
        <span className="text-muted"> · </span>
        {isAdmin ? (
          <a className="link" href={hrefFor('/admin/businesses/[id]', { id })}>
            {view.business_name}
          </a>
        ) : (
          <a className="link" href={hrefFor('/dashboard/businesses/[id]', { id })}>
            {view.business_name}
          </a>
        )}
      </p>
      <h1 className="mt-3 wrap-anywhere">{title}</h1>
      {view.may_write && (
        <p className="mt-2 text-sm">
          <a className="link" href={writeHref('project', view.project.id)}>
            Send a message about this
          </a>
        </p>
      )}
    </header>
  );
}

export default screen(ProjectScreen);

import { useStore } from '@nanostores/react';
import { useState } from 'react';
import type { ProjectView } from '#data/projects.ts';
import { db } from '#lib/db.ts';
import type { AppError } from '#lib/errors.ts';
import { hrefFor } from '#lib/routes.ts';
import { writeHref } from '#lib/write-href.ts';
import { sessionEnded } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
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
  /** Whoever looks at it. */
  reader: { userId: string; fullName: string; timeZone: string };
  /** The day where the reader is: `2026-11-21`. */
  today: string;
}

const told = (title: string, error: AppError, again?: () => void, typed = '') =>
  addToast({
    tone: 'bad',
    title,
    lasting: typed !== '',
    text: error.message,
    ...(again ? { action: { label: 'Try again', onPress: again } } : {}),
  });

/** The stores of one page: each part of a project has its own. */
function createStores({ view, reader }: ProjectProps) {
  const openSync = () => pageSync(reader.userId);
  const project = createProjectStore({ db, signedOut: sessionEnded }, view);
  const tasks = new TaskStore(
    {
      db,
      failed: told,
      signedOut: sessionEnded,
      counted: project.count,
      openSync,
    },
    view,
  );
  const history = createHistoryStore(
    {
      db,
      signedOut: sessionEnded,
      name: reader.fullName,
      openSync,
      failed: (error) => told('Older updates could not be read', error),
    },
    { projectId: view.project.id, history: view.history },
  );
  const files = createFileStore(
    {
      db,
      signedOut: sessionEnded,
      failed: told,
      follow: (link) => location.assign(link),
    },
    { projectId: view.project.id, files: view.files },
  );
  return { project, tasks, history, files };
}

/** One project: how it stands, what is to be done, what happened, what it is about. */
function ProjectScreen(props: ProjectProps) {
  const { view, reader, today } = props;
  const [stores] = useState(() => createStores(props));
  const project = useStore(stores.project.$project, { ssr: 'initial' });
  const open = !view.archived;
  const member = open && view.right !== 'share';
  return (
    <div className="flex flex-col gap-6">
      <header>
        <p className="text-sm">
          <a className="link" href={hrefFor('/dashboard/projects')}>
            Projects
          </a>
          <span className="text-muted"> · {view.business_name}</span>
        </p>
        <h1 className="mt-3 wrap-anywhere">{project.title}</h1>
        {view.may_write && (
          <p className="mt-2 text-sm">
            <a className="link" href={writeHref('project', project.id)}>
              Write about it
            </a>
          </p>
        )}
      </header>
      {view.archived && (
        <Notice tone="caution" title="This business is archived">
          Its projects can be read and not changed.
        </Notice>
      )}
      <ProjectSteps store={stores.project} mayMove={member} onStep={stores.history.stepped} />
      <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(18rem,22rem)] lg:items-start">
        <div className="flex min-w-0 flex-col gap-5">
          <TaskSection store={stores.tasks} project={project} mayEdit={member} today={today} />
          <UpdateSection
            store={stores.history}
            timeZone={reader.timeZone}
            mayWrite={open}
            asCoach={view.right === 'share'}
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

export default screen(ProjectScreen);

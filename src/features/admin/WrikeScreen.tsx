import { useStore } from '@nanostores/react';
import { useEffect, useMemo, useState } from 'react';
import {
  listWrikeFolders,
  listWrikeMirrors,
  type WrikeFolder,
  type WrikeMirror,
  type WrikeOverview,
} from '#data/wrike.ts';
import type { ListPage } from '#domain/list.ts';
import { type FolderFilter, folderFilter, type MirrorFilter, mirrorFilter } from '#domain/wrike.ts';
import { db } from '#lib/db.ts';
import { momentText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { sessionEnded } from '#stores/session.ts';
import { addFailureToast, addToast } from '#stores/toasts.ts';
import { whenBack } from '#stores/when-back.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';
import { useOpenedPart } from '#ui/use-part.ts';
import { type AdminChoice, AdminList, useAdminList } from './list/AdminList.tsx';
import { Connection } from './wrike/Connection.tsx';
import { Folders } from './wrike/Folders.tsx';
import { mirrorColumns } from './wrike/mirror-columns.tsx';
import { mirrorName } from './wrike/mirror-name.ts';
import { useQuestions } from './wrike/use-questions.tsx';
import { createWrikeStore } from './wrike/wrike-store.ts';

interface WrikeProps {
  wrike: WrikeOverview;
  folders: { filter: FolderFilter; page: ListPage<WrikeFolder> };
  mirrors: { filter: MirrorFilter; page: ListPage<WrikeMirror> };
  /** The reader's IANA time zone. */
  timeZone: string;
}

const loadDialog = () => import('./wrike/MirrorDialog.tsx');

const CHOICES: readonly AdminChoice<MirrorFilter>[] = [
  {
    key: 'state',
    label: 'State',
    any: 'Any',
    options: [
      { value: 'sent', label: 'Up to date' },
      { value: 'waiting', label: 'Waiting' },
      { value: 'refused', label: 'Refused' },
      { value: 'kept', label: 'Not updated anymore' },
    ],
  },
];

/** The lists and the store of one page. */
function useWrike({ wrike: initial, folders, mirrors }: WrikeProps) {
  const path = hrefFor('/admin/wrike-test');
  const folderList = useAdminList<WrikeFolder, FolderFilter>(
    { path, codec: folderFilter, read: listWrikeFolders, isInAddress: false },
    folders,
  );
  const mirrorList = useAdminList<WrikeMirror, MirrorFilter>(
    { path, codec: mirrorFilter, read: listWrikeMirrors },
    mirrors,
  );
  const [store] = useState(() =>
    createWrikeStore(
      {
        db,
        signedOut: sessionEnded,
        showFailure: addFailureToast,
        foldersChanged: () => void folderList.choose({ place: null }),
        mirrorsChanged: () => void mirrorList.choose({ place: mirrorList.$filter.get().place }),
      },
      initial,
    ),
  );
  useEffect(() => store.watch(), [store]);
  useEffect(() => whenBack(() => void store.look()), [store]);
  return { folderList, mirrorList, store };
}

/** Wrike: the connection, its folders, a test project, and the projects that are mirrored there. */
function WrikeScreen(props: WrikeProps) {
  const { timeZone } = props;
  const { folderList, mirrorList, store } = useWrike(props);
  const wrike = useStore(store.$wrike, { ssr: 'initial' });
  const pending = useStore(store.$pending, { ssr: 'initial' });
  const failure = useStore(store.$failure, { ssr: 'initial' });
  const [folder, setFolder] = useState<WrikeFolder | null>(null);
  const { confirm, askForTest, askForStep } = useQuestions(store);
  const close = () => setFolder(null);
  const part = useOpenedPart(loadDialog, folder !== null, close);

  const columns = useMemo(() => mirrorColumns(timeZone), [timeZone]);

  return (
    <div className="flex flex-col gap-8">
      <header>
        <h1>Wrike</h1>
        <p className="mt-2 max-w-[60ch] text-muted">
          Projects that you choose are copied to Wrike, and follow each change here. It goes one
          way: what’s changed in Wrike doesn’t come back.
        </p>
      </header>
      <Failure
        failure={failure}
        title="We can’t see how far it is"
        onRetry={() => void store.look()}
      />
      <Connection
        wrike={wrike}
        timeZone={timeZone}
        isChecking={pending === 'check'}
        onCheck={() => void store.take('check')}
      />
      {wrike.job?.error && wrike.connection?.problem === null && (
        <Notice tone="caution" live="polite" title="It’s waiting and will continue by itself.">
          {wrike.job.error} The next try is {momentText(wrike.job.run_at, timeZone)}.
        </Notice>
      )}
      <Folders
        wrike={wrike}
        list={folderList}
        timeZone={timeZone}
        isAsking={pending === 'list_folders'}
        onList={() => void store.take('list_folders')}
        onMirror={setFolder}
        onTest={askForTest}
      />
      <Section id="mirrors" title="Projects copied to Wrike" className="flex flex-col gap-4">
        <AdminList
          list={mirrorList}
          codec={mirrorFilter}
          caption="Projects copied to Wrike"
          noun={['project', 'projects']}
          columns={columns}
          nameOf={mirrorName}
          onlyLinks
          onPress={askForStep}
          searchBy="a project’s title or business"
          choices={CHOICES}
          name="wrike"
          empty={
            <EmptyState title="No projects yet">
              {wrike.connection?.problem === null
                ? 'Choose a folder above to copy a project to it.'
                : 'Connect Wrike first. Then choose a folder, and a project to copy to it.'}
            </EmptyState>
          }
        />
      </Section>
      {folder && part && (
        <part.MirrorDialog
          folder={folder}
          statuses={wrike.statuses}
          onMirror={async (id, projectId) => {
            await store.mirror(id, folder.id, projectId);
            addToast({ tone: 'good', title: 'The project is being sent to Wrike.' });
          }}
          onClose={close}
        />
      )}
      {confirm}
    </div>
  );
}

export default screen(WrikeScreen);

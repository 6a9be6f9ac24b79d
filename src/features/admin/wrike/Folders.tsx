import { useStore } from '@nanostores/react';
import type { WrikeFolder, WrikeOverview } from '#data/wrike.ts';
import type { FolderFilter } from '#domain/wrike.ts';
import { folderFilter } from '#domain/wrike.ts';
import { momentText } from '#lib/locale/dates.ts';
import { Button } from '#ui/Button.tsx';
import { classNames } from '#ui/class-names.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Section } from '#ui/Section.tsx';
import type { DataColumn } from '#ui/table/columns.ts';
import { DataTable } from '#ui/table/DataTable.tsx';
import { ListFilters } from '#ui/table/ListFilters.tsx';
import type { AdminListStore } from '../list/AdminList.tsx';

interface FoldersProps {
  wrike: WrikeOverview;
  list: AdminListStore<WrikeFolder, FolderFilter>;
  /** The reader's IANA time zone. */
  timeZone: string;
  isAsking: boolean;
  onList: () => void;
  onMirror: (folder: WrikeFolder) => void;
  onTest: (folder: WrikeFolder) => void;
}

/** How far a folder is indented, by how deep it is in the tree. */
const INDENTS = ['', 'pl-4', 'pl-8', 'pl-12', 'pl-16'];

const COLUMNS: DataColumn<WrikeFolder>[] = [
  {
    id: 'title',
    header: 'Folder',
    isRowHeader: true,
    cell: ({ title, kind, path, depth }) => (
      <span
        className={classNames('block wrap-anywhere', INDENTS[Math.min(depth, INDENTS.length - 1)])}
      >
        {title}
        <span className="block text-xs font-normal text-muted">
          {kind === 'space' ? 'Space' : 'Folder'}
          {path && ` in ${path}`}
        </span>
      </span>
    ),
  },
  {
    id: 'actions',
    header: 'Use it',
    cell: (folder) => (
      <span className="flex flex-wrap gap-2">
        <Button size="small" variant="secondary" needsScript data-press="mirror">
          Mirror a project
          <span className="sr-only"> in {folder.title}</span>
        </Button>
        <Button size="small" variant="quiet" needsScript data-press="test">
          Create a test project
          <span className="sr-only"> in {folder.title}</span>
        </Button>
      </span>
    ),
  },
];

/** Wrike's spaces and folders as a tree, with search, and what can be put into each. */
export function Folders(props: FoldersProps) {
  const { wrike, list, timeZone, isAsking, onList, onMirror, onTest } = props;
  const filter = useStore(list.$filter, { ssr: 'initial' });
  const canList = wrike.connection?.problem === null;
  return (
    <Section id="folders" title="Folders in Wrike" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p role="status" className="text-sm text-muted">
          {wrike.is_listing
            ? 'The folders are being listed.'
            : wrike.listed_at
              ? `Listed ${momentText(wrike.listed_at, timeZone)}.`
              : canList
                ? 'List the folders to choose where projects go.'
                : 'They can be listed once Wrike is connected.'}
        </p>
        {canList && (
          <Button
            size="small"
            variant={wrike.listed_at ? 'secondary' : 'primary'}
            needsScript
            pending={isAsking || wrike.is_listing}
            onClick={onList}
          >
            {wrike.listed_at ? 'List them again' : 'List the folders'}
          </Button>
        )}
      </div>
      {wrike.listed_at && (
        <>
          <ListFilters
            label="Folders"
            hint="a folder’s name"
            name={folderFilter.params.words.name}
            words={filter.words}
            onSearch={(words) => void list.choose({ words })}
            choices={[]}
          />
          <DataTable<WrikeFolder>
            caption="Folders"
            noun={['folder', 'folders']}
            columns={COLUMNS}
            nameOf={({ title }) => title}
            onlyLinks
            onPress={(folder, name) => (name === 'mirror' ? onMirror(folder) : onTest(folder))}
            list={list}
            empty={
              <EmptyState title={filter.words ? 'No matches' : 'No folders'}>
                {filter.words
                  ? 'No folder has this name. If it’s new, list them again.'
                  : 'Share a space or folder with the person whose token this is.'}
              </EmptyState>
            }
          />
        </>
      )}
    </Section>
  );
}

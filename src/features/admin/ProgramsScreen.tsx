import { useMemo, useState } from 'react';
import { type ListedProgram, listAllPrograms } from '#data/admin-programs.ts';
import type { ListPage } from '#domain/list.ts';
import { type ProgramFilter, programFilter } from '#domain/program.ts';
import { shortCalendarDayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import type { DataColumn } from '#ui/table/columns.ts';
import { useOpenedPart } from '#ui/use-part.ts';
import { AdminList, useAdminList } from './list/AdminList.tsx';

interface ProgramsProps {
  filter: ProgramFilter;
  page: ListPage<ListedProgram>;
  /** The day where the admin is. */
  today: string;
}

const loadDialog = () => import('./programs/GiveProgramDialog.tsx');
const nameOf = ({ name }: ListedProgram) => name;

const COLUMNS: DataColumn<ListedProgram>[] = [
  {
    id: 'name',
    header: 'Program',
    isRowHeader: true,
    cell: ({ id, name, sponsor }) => (
      <>
        <a className="link wrap-anywhere" href={hrefFor('/admin/programs/[id]', { id })}>
          {name}
        </a>
        {sponsor !== name && (
          <span className="block text-sm font-normal text-muted wrap-anywhere">{sponsor}</span>
        )}
      </>
    ),
    csv: nameOf,
  },
  { id: 'sponsor', header: 'Sponsor', csv: ({ sponsor }) => sponsor },
  {
    id: 'seats',
    header: 'Seats',
    align: 'right',
    cell: ({ seats }) => seats,
    csv: ({ seats }) => seats,
  },
  {
    id: 'activated',
    header: 'In use',
    align: 'right',
    cell: ({ activated }) => activated,
    csv: ({ activated }) => activated,
  },
  { id: 'free', header: 'Free', align: 'right', cell: ({ free }) => free, csv: ({ free }) => free },
  {
    id: 'waiting',
    header: 'Waiting',
    align: 'right',
    isUsual: ({ waiting }) => waiting === 0,
    cell: ({ waiting }) => waiting,
    csv: ({ waiting }) => waiting,
  },
  {
    id: 'ends',
    header: 'Through',
    sort: { ascending: 'ends' },
    breaks: 'never',
    cell: ({ ends_on }) => shortCalendarDayText(ends_on),
    csv: ({ ends_on }) => ends_on,
  },
];

/** All programs: who pays, how many seats are in use, and until when. */
function ProgramsScreen({ filter, page, today }: ProgramsProps) {
  const list = useAdminList<ListedProgram, ProgramFilter>(
    { path: hrefFor('/admin/programs'), codec: programFilter, read: listAllPrograms },
    { filter, page },
  );
  const [isGiving, setGiving] = useState(false);
  const close = () => setGiving(false);
  const part = useOpenedPart(loadDialog, isGiving, close);
  const columns = useMemo(() => COLUMNS, []);
  return (
    <div className="flex flex-col gap-6">
      <header className="flex flex-wrap items-start justify-between gap-4">
        <div>
          <h1>Programs</h1>
          <p className="mt-2 max-w-[60ch] text-muted">
            Seats that organizations pay for. A paid or invoiced order for seats creates a program.
          </p>
        </div>
        <Button variant="secondary" needsScript onClick={() => setGiving(true)}>
          Give seats
        </Button>
      </header>
      <AdminList
        list={list}
        codec={programFilter}
        caption="Programs"
        noun={['program', 'programs']}
        columns={columns}
        onlyLinks
        nameOf={nameOf}
        searchBy="program or sponsor"
        choices={[
          {
            key: 'state',
            label: 'State',
            options: [
              { value: 'open', label: 'Open' },
              { value: 'over', label: 'Over' },
              { value: 'all', label: 'All' },
            ],
          },
          {
            key: 'sort',
            label: 'Sort by',
            options: [
              { value: 'newest', label: 'Newest' },
              { value: 'ends', label: 'Ending first' },
            ],
          },
        ]}
        name="programs"
        empty={
          <EmptyState title="No open programs">
            An order for seats makes one as soon as it’s invoiced or paid.
          </EmptyState>
        }
      />
      {isGiving && part && <part.GiveProgramDialog today={today} onClose={close} />}
    </div>
  );
}

export default screen(ProgramsScreen);

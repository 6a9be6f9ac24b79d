import { useMemo, useState } from 'react';
import { type ListedToggle, listToggles, setToggle, type ToggleChange } from '#data/toggles.ts';
import { audienceText, type ToggleFilter, toggleFilter } from '#domain/admin-toggles.ts';
import type { ListPage } from '#domain/list.ts';
import { TOGGLES } from '#domain/toggle.ts';
import { db } from '#lib/db.ts';
import { calendarDayText, momentText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { accountChanged, reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import type { DataColumn } from '#ui/table/columns.ts';
import { useOpenedPart } from '#ui/use-part.ts';
import { AdminList, useAdminList } from './list/AdminList.tsx';

interface TogglesProps {
  filter: ToggleFilter;
  page: ListPage<ListedToggle>;
  /** The reader's own id and IANA time zone. */
  userId: string;
  timeZone: string;
}

const loadDialog = () => import('./toggles/ToggleDialog.tsx');

const labels: Record<string, { label: string }> = TOGGLES;
const labelOf = ({ id }: ListedToggle) => labels[id]?.label ?? id;

const columnsIn = (
  timeZone: string,
  onOpen: (toggle: ListedToggle) => void,
): DataColumn<ListedToggle>[] => [
  {
    id: 'name',
    header: 'Toggle',
    isRowHeader: true,
    cell: (toggle) => (
      <>
        <span className="font-semibold">{labelOf(toggle)}</span>
        <span className="block max-w-[40ch] text-sm font-normal text-muted">
          {toggle.description}
        </span>
      </>
    ),
    csv: ({ id }) => id,
  },
  { id: 'audience', header: 'On for', cell: audienceText, csv: audienceText },
  {
    id: 'change',
    header: 'Last change',
    none: 'Never changed',
    cell: ({ change }) =>
      change && (
        <>
          {change.by ?? 'A deleted account'}, {momentText(change.at, timeZone)}
          <span className="block text-sm text-muted wrap-anywhere">{change.reason}</span>
        </>
      ),
    csv: ({ change }) => change && `${change.at} ${change.by ?? ''}: ${change.reason}`,
  },
  {
    id: 'expires',
    header: 'Look at it by',
    none: 'No date',
    cell: ({ expires_on }) => expires_on && calendarDayText(expires_on),
    csv: ({ expires_on }) => expires_on,
  },
  {
    id: 'owner',
    header: 'Owner',
    none: 'Nobody',
    cell: ({ owner }) => owner?.name,
    csv: ({ owner }) => owner?.name ?? null,
  },
  {
    id: 'edit',
    header: 'Change',
    onCard: 'bare',
    cell: (toggle) => (
      <Button size="small" variant="secondary" onClick={() => onOpen(toggle)}>
        Change<span className="sr-only"> {labelOf(toggle)}</span>
      </Button>
    ),
  },
];

/** Who each feature is on for, and since when, by whom and why. */
function TogglesScreen({ filter, page, userId, timeZone }: TogglesProps) {
  const list = useAdminList<ListedToggle, ToggleFilter>(
    { path: hrefFor('/admin/toggles'), codec: toggleFilter, read: listToggles },
    { filter, page },
  );
  const [opened, setOpened] = useState<ListedToggle | null>(null);
  const close = () => setOpened(null);
  const part = useOpenedPart(loadDialog, opened !== null, close);
  const columns = useMemo(() => columnsIn(timeZone, setOpened), [timeZone]);

  async function save(toggle: ListedToggle, change: ToggleChange) {
    try {
      await setToggle(await db(), toggle.id, change);
    } catch (thrown) {
      throw reportError(thrown);
    }
    addToast({ tone: 'good', title: `${labelOf(toggle)}: saved.` });
    void accountChanged();
    await list.choose({ place: list.$filter.get().place });
  }

  return (
    <div className="flex flex-col gap-6">
      <header>
        <h1>Feature toggles</h1>
        <p className="mt-2 max-w-[60ch] text-muted">
          Turn a feature off, or on for some people. A change counts right away, and people see it
          on the next page they open. See{' '}
          <a className="link" href={`${hrefFor('/admin/audit')}?action=toggle.set`}>
            who changed what
          </a>
          .
        </p>
      </header>
      <AdminList
        list={list}
        codec={toggleFilter}
        caption="Toggles"
        noun={['toggle', 'toggles']}
        columns={columns}
        nameOf={labelOf}
        searchBy="name or description"
        choices={[
          {
            key: 'state',
            label: 'State',
            any: 'Any',
            options: [
              { value: 'on', label: 'On for someone' },
              { value: 'off', label: 'Off' },
              { value: 'review', label: 'To look at again' },
            ],
          },
        ]}
        name="toggles"
        empty={<EmptyState title="No toggles">Releases add them.</EmptyState>}
      />
      {opened && part && (
        <part.ToggleDialog
          toggle={opened}
          label={labelOf(opened)}
          userId={userId}
          onSave={(change) => save(opened, change)}
          onClose={close}
        />
      )}
    </div>
  );
}

export default screen(TogglesScreen);

import { useMemo, useState } from 'react';
import {
  archiveBusinesses,
  type ListedBusiness,
  listAllBusinesses,
  restoreBusinesses,
} from '#data/admin-businesses.ts';
import type { ListChoices } from '#data/admin-lists.ts';
import {
  type AllBusinessesFilter,
  allBusinessesFilter,
  BUSINESS_STATE_LABELS,
  COACHING_LABELS,
} from '#domain/admin-businesses.ts';
import type { ListPage } from '#domain/list.ts';
import { createAttempt } from '#lib/attempt.ts';
import { db } from '#lib/db.ts';
import { hrefFor } from '#lib/routing/routes.ts';
import { reportError, sessionEnded } from '#stores/session.ts';
import { addFailureToast, addToast } from '#stores/toasts.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import type { BulkAction } from '#ui/table/DataTable.tsx';
import { useOpenedPart } from '#ui/use-part.ts';
import { businessColumns, nameOf } from './businesses/business-columns.tsx';
import { AdminList, useAdminList } from './list/AdminList.tsx';

interface BusinessesProps {
  filter: AllBusinessesFilter;
  page: ListPage<ListedBusiness> & { choices: ListChoices | null };
  /** The reader's IANA time zone. */
  timeZone: string;
}

const loadDialog = () => import('./ReasonDialog.tsx');

const optionsOf = <Value extends string>(labels: Record<Value, string>) =>
  Object.entries<string>(labels).map(([value, label]) => ({ value, label }));

const countText = (count: number) => `${count} ${count === 1 ? 'business' : 'businesses'}`;

/** What archiving and restoring do and are called. */
const CHANGES = {
  archive: {
    call: archiveBusinesses,
    back: restoreBusinesses,
    verb: 'Archive',
    done: 'archived',
    description:
      'They become read-only for their members. Open invitations stop working and open coaching ends, which undoing doesn’t bring back. Nothing is deleted.',
  },
  restore: {
    call: restoreBusinesses,
    back: archiveBusinesses,
    verb: 'Restore',
    done: 'restored',
    description:
      'They go back on their members’ lists and can be edited again, without the invitations and coaching that ended.',
  },
} as const;

interface Asked {
  change: keyof typeof CHANGES;
  businesses: readonly ListedBusiness[];
}

/** All businesses, active and archived. */
function AllBusinessesScreen({ filter, page, timeZone }: BusinessesProps) {
  const list = useAdminList<ListedBusiness, AllBusinessesFilter>(
    { path: hrefFor('/admin/businesses'), codec: allBusinessesFilter, read: listAllBusinesses },
    { filter, page },
  );
  const columns = useMemo(() => businessColumns(timeZone), [timeZone]);
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const part = useOpenedPart(loadDialog, asked !== null, close);
  const [attempt] = useState(() =>
    createAttempt({ db, signedOut: sessionEnded, showFailure: addFailureToast }),
  );
  const reload = () => list.choose({ place: list.$filter.get().place });

  async function undo(change: Asked['change'], ids: readonly string[]) {
    const isDone = await attempt(
      'We couldn’t undo it',
      async (client) => CHANGES[change].back(client, ids, 'Undone right away'),
      () => void undo(change, ids),
    );
    if (isDone) addToast({ tone: 'good', title: `${countText(ids.length)} back as before.` });
    await reload();
  }

  async function run({ change, businesses }: Asked, reason: string) {
    const { call, done } = CHANGES[change];
    try {
      const ids = await call(
        await db(),
        businesses.map(({ id }) => id),
        reason,
      );
      addToast({
        tone: 'good',
        title: `${countText(ids.length)} ${done}.`,
        lasting: true,
        ...(ids.length > 0 && {
          action: { label: 'Undo', onPress: () => void undo(change, ids) },
        }),
      });
    } catch (thrown) {
      throw reportError(thrown);
    }
    await reload();
  }

  function actions(businesses: readonly ListedBusiness[]): BulkAction[] {
    const isArchived = businesses.map(({ archived_at }) => archived_at !== null);
    const changes = [
      ...(isArchived.every((is) => !is) ? (['archive'] as const) : []),
      ...(isArchived.every((is) => is) ? (['restore'] as const) : []),
    ];
    return changes.map((change) => ({
      label: `${CHANGES[change].verb}…`,
      done: `asking why`,
      danger: change === 'archive',
      onRun: () => setAsked({ change, businesses }),
    }));
  }

  return (
    <div className="flex flex-col gap-6">
      <h1>Businesses</h1>
      <AdminList
        list={list}
        codec={allBusinessesFilter}
        caption="Businesses"
        noun={['business', 'businesses']}
        columns={columns}
        nameOf={nameOf}
        actions={actions}
        searchBy="name, city, postal code or industry"
        choices={[
          { key: 'state', label: 'State', any: 'Any', options: optionsOf(BUSINESS_STATE_LABELS) },
          { key: 'coaching', label: 'Coaching', any: 'Any', options: optionsOf(COACHING_LABELS) },
          { key: 'region', label: 'Region', any: 'Any', options: page.choices?.region ?? [] },
          {
            key: 'sort',
            label: 'Sort by',
            options: optionsOf({ newest: 'Newest', oldest: 'Oldest', name: 'Name' }),
          },
        ]}
        name="all-businesses"
        empty={
          <EmptyState title="No businesses yet">
            Every business that an owner adds shows up here.
          </EmptyState>
        }
      />
      {asked && part && (
        <part.ReasonDialog
          action={{
            title: `${CHANGES[asked.change].verb} ${
              asked.businesses.length === 1
                ? asked.businesses[0]?.name
                : countText(asked.businesses.length)
            }?`,
            description: CHANGES[asked.change].description,
            action: CHANGES[asked.change].verb,
            danger: asked.change === 'archive',
            onSubmit: (reason) => run(asked, reason),
          }}
          onClose={close}
        />
      )}
    </div>
  );
}

export default screen(AllBusinessesScreen);

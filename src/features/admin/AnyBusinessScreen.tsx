import { useState } from 'react';
import { type AnyBusiness, getAnyBusiness } from '#data/admin-businesses.ts';
import { BUSINESS_STATE_LABELS } from '#domain/admin-businesses.ts';
import { db } from '#lib/db.ts';
import { dayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { hrefIfExists } from '#lib/routing/routes.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';
import { useOpenedPart } from '#ui/use-part.ts';
import { Belongings, Nothing } from './businesses/Belongings.tsx';
import {
  archiveAction,
  type BusinessAction,
  restoreAction,
  undoAction,
} from './businesses/business-actions.ts';
import { Figures } from './businesses/Figures.tsx';
import { Merges } from './businesses/Merges.tsx';
import { SessionsSection } from './businesses/SessionsSection.tsx';

interface BusinessProps {
  business: AnyBusiness;
  /** The admin's IANA time zone and the day there. */
  timeZone: string;
  today: string;
}

const loadReason = () => import('./ReasonDialog.tsx');
const loadMerge = () => import('./businesses/MergeDialog.tsx');

/** One business with everything that belongs to it, and what an admin can do about it. */
function AnyBusinessScreen({ business: initial, timeZone, today }: BusinessProps) {
  const [business, setBusiness] = useState(initial);
  const [opened, setOpened] = useState<BusinessAction | null>(null);
  const [isMerging, setMerging] = useState(false);
  const close = () => setOpened(null);
  const closeMerge = () => setMerging(false);
  const reason = useOpenedPart(loadReason, opened !== null, close);
  const merge = useOpenedPart(loadMerge, isMerging, closeMerge);
  const { merged_into, archived_at } = business;
  const audit = hrefIfExists(`/admin/audit?business=${business.id}`);
  const reload = async () => setBusiness(await getAnyBusiness(await db(), business.id));

  async function run({ run: act, done }: BusinessAction, why: string) {
    try {
      await act(await db(), why);
      addToast({ tone: 'good', title: done });
      await reload();
    } catch (thrown) {
      throw reportError(thrown);
    }
  }

  return (
    <div className="flex flex-col gap-8">
      <Head business={business} timeZone={timeZone} />
      {merged_into && (
        <Notice tone="caution" title={`Merged into ${merged_into.name}`}>
          Everything that moved is{' '}
          <a className="link" href={hrefFor('/admin/businesses/[id]', { id: merged_into.id })}>
            there
          </a>
          . This one is archived, and its members are told where to go.
        </Notice>
      )}
      {business.merges.length > 0 && (
        <Merges
          merges={business.merges}
          businessId={business.id}
          timeZone={timeZone}
          onUndo={(each) => setOpened(undoAction(each))}
        />
      )}
      <SessionsSection
        business={business}
        sessions={business.sessions_left}
        timeZone={timeZone}
        canGive={!archived_at}
        onGiven={() => void reload()}
      />
      <Belongings business={business} timeZone={timeZone} today={today} />
      <Figures snapshots={business.snapshots} />
      <Nothing business={business} />
      {audit && (
        <p className="text-sm">
          <a className="link" href={audit}>
            Audit log for {business.name}
          </a>
        </p>
      )}
      {!merged_into && (
        <Actions business={business} onMerge={() => setMerging(true)} onOpen={setOpened} />
      )}
      {opened && reason && (
        <reason.ReasonDialog
          action={{ ...opened, onSubmit: (why) => run(opened, why) }}
          onClose={close}
        />
      )}
      {isMerging && merge && (
        <merge.MergeDialog
          business={business}
          onClose={closeMerge}
          onMerged={async (into) => {
            addToast({ tone: 'good', title: `${business.name} is now part of ${into.name}.` });
            await reload();
          }}
        />
      )}
    </div>
  );
}

interface ActionsProps {
  business: AnyBusiness;
  onMerge: () => void;
  onOpen: (action: BusinessAction) => void;
}

/** What's done rarely, and can't simply be undone: last on the page. */
function Actions({ business, onMerge, onOpen }: ActionsProps) {
  const { archived_at } = business;
  return (
    <Section id="actions" title="Merge or archive">
      <div className="mt-3 flex flex-wrap gap-2">
        <Button size="small" variant="secondary" onClick={onMerge}>
          Merge into another business
        </Button>
        <Button
          size="small"
          variant={archived_at ? 'secondary' : 'danger'}
          onClick={() => onOpen(archived_at ? restoreAction(business) : archiveAction(business))}
        >
          {archived_at ? 'Restore' : 'Archive'}
        </Button>
      </div>
    </Section>
  );
}

function Head({ business, timeZone }: Pick<BusinessProps, 'business' | 'timeZone'>) {
  const { name, facts, archived_at, created_at } = business;
  const about = [
    archived_at ? `Archived on ${dayText(archived_at, timeZone)}` : BUSINESS_STATE_LABELS.active,
    [facts.city, facts.region].filter(Boolean).join(', '),
    facts.industry,
    `added on ${dayText(created_at, timeZone)}`,
  ];
  return (
    <header className="min-w-0">
      <p className="mb-2 text-sm">
        <a className="link" href={hrefFor('/admin/businesses')}>
          Businesses
        </a>
      </p>
      <h1 className="wrap-anywhere">{name}</h1>
      <p className="mt-2 text-muted">{about.filter(Boolean).join(' · ')}</p>
    </header>
  );
}

export default screen(AnyBusinessScreen);

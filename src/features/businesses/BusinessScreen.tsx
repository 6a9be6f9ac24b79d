import { useStore } from '@nanostores/react';
import { useRef, useState } from 'react';
import type { Business } from '#data/businesses.ts';
import { firstName } from '#domain/message.ts';
import { db } from '#lib/db.ts';
import { dayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { writeHref } from '#lib/routing/write-href.ts';
import { notifyTabs, reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Confirm, type Question } from '#ui/Confirm.tsx';
import { Notice } from '#ui/Notice.tsx';
import { Progress } from '#ui/Progress.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Still } from '#ui/Still.tsx';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { About } from './About.tsx';
import { type BusinessStore, createBusinessStore } from './business-store.ts';
import { Figures } from './Figures.tsx';
import { Members } from './Members.tsx';

export interface BusinessInitial {
  business: Business;
  userId: string;
  timeZone: string;
  /** Today in the reader's time zone, `2026-11-21`. */
  today: string;
}

/** One business: its facts, its plan, its forecast, its figures and its members. */
function BusinessScreen({ initial }: { initial: BusinessInitial }) {
  const [store] = useState(() => createBusinessStore(db, initial.business));
  const business = useStore(store.$business, { ssr: 'initial' });
  const more = useStore(store.$more, { ssr: 'initial' });
  const [question, setQuestion] = useState<Question | null>(null);
  const { id, facts, role, archived_at, merged_into } = business;
  const isEditable = role !== null && archived_at === null;
  return (
    <div className="flex flex-col gap-12">
      <Head business={business} isEditable={isEditable} />
      {merged_into && <MergedNotice into={merged_into} />}
      {archived_at && !merged_into && (
        <ArchivedNotice
          on={dayText(archived_at, initial.timeZone)}
          onRestore={
            role === 'owner' ? () => setQuestion(restoreQuestion(facts.name, store)) : null
          }
        />
      )}
      <div className="grid items-start gap-x-10 gap-y-12 lg:grid-cols-2">
        <Still of={[facts, isEditable]} className="contents">
          {() => <About facts={facts} editable={isEditable} id={id} />}
        </Still>
        <Still of={[business]} className="flex flex-col gap-5">
          {() => (
            <>
              <Plan business={business} />
              <ForecastCard business={business} timeZone={initial.timeZone} />
            </>
          )}
        </Still>
      </div>
      <Figures
        snapshots={business.snapshots}
        editable={isEditable}
        more={more}
        today={initial.today}
        onAdd={store.addFigures}
        onMore={store.loadOlder}
      />
      {role !== null && (
        <Members
          business={business}
          userId={initial.userId}
          timeZone={initial.timeZone}
          store={store}
          onAsk={setQuestion}
          onLeft={() => {
            notifyTabs('changed');
            location.assign(hrefFor('/dashboard/businesses'));
          }}
        />
      )}
      {role === 'owner' && archived_at === null && (
        <ArchiveSection onArchive={() => setQuestion(archiveQuestion(facts.name, store))} />
      )}
      <Confirm question={question} onClose={() => setQuestion(null)} onError={reportError} />
    </div>
  );
}

async function setArchived(store: BusinessStore, archived: boolean) {
  await store.archive(archived);
  notifyTabs('changed');
}

const archiveQuestion = (name: string, store: BusinessStore): Question => ({
  title: `Archive ${name}?`,
  text: 'It moves out of your lists and becomes read-only for you and its members. Open invitations stop working and any coaching ends. Nothing is deleted, and you can restore it.',
  yes: 'Archive it',
  danger: true,
  act: () => setArchived(store, true),
});

const restoreQuestion = (name: string, store: BusinessStore): Question => ({
  title: `Restore ${name}?`,
  text: 'It goes back on your lists and you can edit it again. You’ll need to send new invitations and ask for a coach again.',
  yes: 'Restore it',
  act: () => setArchived(store, false),
});

function Head({ business, isEditable }: { business: Business; isEditable: boolean }) {
  const { id, facts, role, archived_at, client } = business;
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusBack(heading, archived_at);
  return (
    <header className="flex flex-wrap items-start justify-between gap-4">
      <div className="min-w-0">
        <p className="text-sm">
          <a className="link" href={hrefFor('/dashboard/businesses')}>
            Businesses
          </a>
        </p>
        <h1 ref={heading} tabIndex={-1} className="mt-1 [overflow-wrap:anywhere]">
          {facts.name}
        </h1>
        {role === null && <p className="mt-1 text-muted">You’re viewing this as the coach.</p>}
      </div>
      {isEditable && (
        <Button variant="secondary" href={hrefFor('/dashboard/businesses/[id]/edit', { id })}>
          Edit
        </Button>
      )}
      {role === null && client && (
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" href={writeHref('engagement', client.id)}>
            Message {client.name ? firstName(client.name) : 'the owner'}
          </Button>
          <Button href={hrefFor('/dashboard/coaching/[id]', { id: client.id })}>Open client</Button>
        </div>
      )}
    </header>
  );
}

const MergedNotice = ({ into }: { into: { id: string; name: string } }) => (
  <Notice tone="caution" title={`This business is now part of ${into.name}`}>
    They turned out to be the same one, so your projects, results, figures and members are in{' '}
    <a className="link" href={hrefFor('/dashboard/businesses/[id]', { id: into.id })}>
      {into.name}
    </a>
    . What’s still here is read-only.
  </Notice>
);

/** @param props.onRestore null if the user can't restore it */
function ArchivedNotice({ on, onRestore }: { on: string; onRestore: (() => void) | null }) {
  return (
    <Notice
      tone="caution"
      live="polite"
      title={`Archived on ${on}`}
      action={
        onRestore && (
          <Button size="small" needsScript onClick={onRestore}>
            Restore it
          </Button>
        )
      }
    >
      It’s read-only.
    </Notice>
  );
}

function ArchiveSection({ onArchive }: { onArchive: () => void }) {
  return (
    <section aria-labelledby="archive" className="no-print border-t border-line pt-6">
      <h2 id="archive" className="text-lg">
        Archive
      </h2>
      <p className="mt-1 max-w-[60ch] text-sm text-muted">
        For a business that has closed or that you’re done working on. Nothing is deleted.
      </p>
      <Button variant="secondary" className="mt-4" needsScript onClick={onArchive}>
        Archive this business
      </Button>
    </section>
  );
}

const CARD = 'card flex flex-wrap items-center gap-x-8 gap-y-4 p-6';

function Plan({ business }: { business: Business }) {
  const { filled, of } = business.plan;
  const writes = business.role !== null && business.archived_at === null;
  const href = hrefFor('/dashboard/businesses/[id]/plan', { id: business.id });
  return (
    <section aria-labelledby="plan" className={CARD}>
      <div className="min-w-56 flex-1">
        <h2 id="plan">One-page plan</h2>
        <p className="mt-1 text-sm text-muted">
          {filled > 0
            ? `${filled} of ${of} boxes filled in.`
            : writes
              ? 'One page of short boxes, from the problem to your riskiest assumption. Allow an hour and a half.'
              : 'Not started yet.'}
        </p>
        {filled > 0 && (
          <Progress value={filled} max={of} label="Plan boxes filled in" className="mt-3" />
        )}
      </div>
      {(writes || filled > 0) && (
        <Button variant={writes && filled < of ? 'primary' : 'secondary'} href={href}>
          {!writes ? 'Read the plan' : filled === 0 ? 'Write the plan' : 'Open the plan'}
        </Button>
      )}
    </section>
  );
}

/** A reader of a page without a forecast finds the calculators there. */
function forecastAction(writes: boolean, isThere: boolean): string {
  if (writes) return isThere ? 'Open the forecast' : 'Fill in your forecast';
  return isThere ? 'Read the forecast' : 'Read the calculators';
}

function ForecastCard({ business, timeZone }: { business: Business; timeZone: string }) {
  const { id, role, archived_at, forecast, calculators } = business;
  const writes = role !== null && archived_at === null;
  return (
    <section aria-labelledby="forecast" className={CARD}>
      <div className="min-w-56 flex-1">
        <h2 id="forecast">Cash forecast</h2>
        <p className="mt-1 text-sm text-muted">
          {forecast
            ? `Saved on ${dayText(forecast.saved_at, timeZone)}.`
            : writes
              ? 'Money in and money out for twelve months, so you know your lowest point while you can still move it.'
              : 'Not started yet.'}
        </p>
      </div>
      {(writes || forecast || calculators > 0) && (
        <Button
          variant={writes && !forecast ? 'primary' : 'secondary'}
          href={hrefFor('/dashboard/businesses/[id]/forecast', { id })}
        >
          {forecastAction(writes, forecast !== null)}
        </Button>
      )}
    </section>
  );
}

export default screen(BusinessScreen);

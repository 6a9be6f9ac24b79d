import { useStore } from '@nanostores/react';
import { useRef, useState } from 'react';
import type { Business } from '#data/businesses.ts';
import { dayText } from '#lib/dates.ts';
import { db } from '#lib/db.ts';
import { hrefFor } from '#lib/routes.ts';
import { notifyTabs, reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Confirm, type Question } from '#ui/Confirm.tsx';
import { Notice } from '#ui/Notice.tsx';
import { Progress } from '#ui/Progress.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { useReady } from '#ui/use-ready.ts';
import { About } from './About.tsx';
import { createBusinessStore } from './business-store.ts';
import { Figures } from './Figures.tsx';
import { Members } from './Members.tsx';

export interface BusinessInitial {
  business: Business;
  userId: string;
  timeZone: string;
  /** Today where the reader is, `2026-11-21`. */
  today: string;
}

/** One business: what it says of itself, its figures, its plan, who belongs to it. */
function BusinessScreen({ initial }: { initial: BusinessInitial }) {
  const ready = useReady();
  const [store] = useState(() => createBusinessStore(db, initial.business));
  const business = useStore(store.$business, { ssr: 'initial' });
  const more = useStore(store.$more, { ssr: 'initial' });
  const [question, setQuestion] = useState<Question | null>(null);
  const { id, facts, role, archived_at } = business;
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusBack(heading, archived_at);
  const open = role !== null && archived_at === null;

  const archive: Question = {
    title: `Archive ${facts.name}?`,
    text: 'It leaves your lists, and can be read and no longer changed, by you and by its members. Open invitations stop working and open coaching ends. Nothing is deleted, and you can bring it back.',
    yes: 'Archive it',
    danger: true,
    async act() {
      await store.archive(true);
      notifyTabs('changed');
    },
  };
  const bringBack: Question = {
    title: `Bring ${facts.name} back?`,
    text: 'It stands in your lists again and can be changed. Invitations and coaching start anew.',
    yes: 'Bring it back',
    async act() {
      await store.archive(false);
      notifyTabs('changed');
    },
  };

  return (
    <div className="flex flex-col gap-12">
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
          {role === null && <p className="mt-1 text-muted">You read this as the coach.</p>}
        </div>
        {open && (
          <Button variant="secondary" href={hrefFor('/dashboard/businesses/[id]/edit', { id })}>
            Edit
          </Button>
        )}
      </header>
      {archived_at && (
        <Notice
          tone="caution"
          live="polite"
          title={`Archived on ${dayText(archived_at, initial.timeZone)}`}
          action={
            role === 'owner' && (
              <Button size="small" disabled={!ready} onClick={() => setQuestion(bringBack)}>
                Bring it back
              </Button>
            )
          }
        >
          Everything can be read and nothing changed.
        </Notice>
      )}
      <About facts={facts} editable={open} id={id} />
      <Plan business={business} />
      <Figures
        snapshots={business.snapshots}
        editable={open}
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
        <section aria-labelledby="archive" className="no-print border-t border-line pt-6">
          <h2 id="archive" className="text-lg">
            Archive
          </h2>
          <p className="mt-1 max-w-[60ch] text-sm text-muted">
            For a business that has ended or that you no longer work on. Nothing is deleted.
          </p>
          <Button
            variant="secondary"
            className="mt-4"
            disabled={!ready}
            onClick={() => setQuestion(archive)}
          >
            Archive this business
          </Button>
        </section>
      )}
      <Confirm question={question} onClose={() => setQuestion(null)} onError={reportError} />
    </div>
  );
}

/** How far the plan is, and the way there. */
function Plan({ business }: { business: Business }) {
  const { filled, of } = business.plan;
  const writes = business.role !== null && business.archived_at === null;
  const href = hrefFor('/dashboard/businesses/[id]/plan', { id: business.id });
  return (
    <section
      aria-labelledby="plan"
      className="card flex flex-wrap items-center gap-x-8 gap-y-4 p-6"
    >
      <div className="min-w-56 flex-1">
        <h2 id="plan">One-page plan</h2>
        <p className="mt-1 text-sm text-muted">
          {filled === 0
            ? 'Twelve short boxes, from the problem to the riskiest assumption. An hour and a half.'
            : `${filled} of ${of} fields are written.`}
        </p>
        {filled > 0 && (
          <Progress value={filled} max={of} label="Fields of the plan" className="mt-3" />
        )}
      </div>
      <Button variant={writes && filled < of ? 'primary' : 'secondary'} href={href}>
        {!writes ? 'Read the plan' : filled === 0 ? 'Write the plan' : 'Open the plan'}
      </Button>
    </section>
  );
}

export default screen(BusinessScreen);

import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import type { SessionClient } from '#data/coaching-client.ts';
import type { SessionPage } from '#data/coaching-sessions.ts';
import { SUMMARY_DAYS } from '#domain/session.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { pageSync } from '#sync/page-sync.ts';
import { Button } from '#ui/Button.tsx';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { useOpenStore } from '#ui/use-open-store.ts';
import { ClosingForm } from './closing/ClosingForm.tsx';
import { createClosingStore } from './closing/closing-store.ts';
import { SessionPageFrame } from './closing/SessionPageFrame.tsx';
import { startOfForm } from './closing/start.ts';
import type { Reader } from './when.ts';

export interface SessionProps {
  id: string;
  /** Null for one that isn't stored yet. */
  session: SessionPage | null;
  /** Null once the coach can't write anything down anymore. */
  client: SessionClient | null;
  userId: string;
  reader: Reader;
}

/** A session that its coach writes down. */
function SessionScreen(props: SessionProps) {
  const { session, client, reader } = props;
  const business = client?.business ?? session?.business.name ?? '';
  return (
    <SessionPageFrame
      engagementId={client && !client.isOver ? client.engagementId : null}
      business={business}
      name={client?.name ?? session?.owner_name ?? business}
      session={session}
      reader={reader}
    >
      <Body {...props} />
    </SessionPageFrame>
  );
}

function Body(props: SessionProps) {
  const { session, client } = props;
  if (session?.state === 'canceled') {
    return (
      <Notice title="This session was canceled">
        {session.cancel_reason || 'If it took place anyway, record it on the client’s page.'}
      </Notice>
    );
  }
  if (!client || (client.isOver && !session?.can_write_up)) {
    return <Notice title="This coaching has ended">Nothing can be added to it.</Notice>;
  }
  return <Closing {...props} client={client} />;
}

function Closing({
  id,
  session,
  client,
  userId,
  reader,
}: SessionProps & { client: SessionClient }) {
  const [store] = useState(() =>
    createClosingStore(
      { openSync: () => pageSync(userId), now: () => Date.now() },
      {
        id,
        engagementId: client.engagementId,
        business: client.business,
        timeZone: reader.timeZone,
        form: startOfForm(session, client, reader),
      },
      client.isOver,
    ),
  );
  useOpenStore(store);
  const isStored = useStore(store.$isStored, { ssr: 'initial' });
  if (isStored) return <Done client={client} />;
  if (session && Date.parse(session.starts_at) > Date.parse(reader.now)) {
    return (
      <Notice title="It hasn’t started yet">
        You can write it up from then on. To move or cancel it, open{' '}
        <a className="link" href={hrefFor('/dashboard/coaching/[id]', { id: client.engagementId })}>
          {client.business}
        </a>
        .
      </Notice>
    );
  }
  return (
    <>
      {client.isOver && (
        <Notice title="You’re not their coach anymore">
          You can still write up this session for 14 days after it. Then we cancel it, and it
          doesn’t count.
        </Notice>
      )}
      <ClosingForm store={store} client={client} reader={reader} isPlanned={session !== null} />
    </>
  );
}

/** It's stored: what happens now, and where to go on. */
function Done({ client }: { client: SessionClient }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section aria-labelledby="done" className="card p-6 md:p-8">
      <h2 id="done" ref={heading} tabIndex={-1}>
        Saved
      </h2>
      <p className="mt-2 text-muted">
        {client.name} gets a notification and can read the summary.
        {!client.isOver && ` You can change it for ${SUMMARY_DAYS} days.`}
      </p>
      <div className="mt-5 flex flex-wrap gap-2.5">
        <Button href={hrefFor('/dashboard')}>Back to today</Button>
        {!client.isOver && (
          <Button
            variant="secondary"
            href={hrefFor('/dashboard/coaching/[id]', { id: client.engagementId })}
          >
            Open {client.business}
          </Button>
        )}
      </div>
    </section>
  );
}

export default screen(SessionScreen);

import type { ReactNode } from 'react';
import type { SessionPage } from '#data/coaching-sessions.ts';
import { sessionText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { SessionPlace } from '../coach/SessionPlace.tsx';
import { dayOfReader, type Reader } from '../when.ts';

interface FrameProps {
  /** Null if the client's page is closed to the coach. */
  engagementId: string | null;
  business: string;
  /** What the page calls the owner. */
  name: string;
  session: SessionPage | null;
  reader: Reader;
  children: ReactNode;
}

/** Whose session it is and when, above what's written down about it. */
export function SessionPageFrame(props: FrameProps) {
  const { engagementId, business, name, session, reader, children } = props;
  return (
    <div className="flex w-full max-w-2xl flex-col gap-6">
      <header>
        <p className="text-sm">
          {engagementId ? (
            <a
              className="link wrap-anywhere"
              href={hrefFor('/dashboard/coaching/[id]', { id: engagementId })}
            >
              {business}
            </a>
          ) : (
            <span className="wrap-anywhere">{business}</span>
          )}
        </p>
        <h1 className="mt-3 wrap-anywhere">Session with {name}</h1>
        {session && (
          <p className="mt-1 text-muted wrap-anywhere">
            {sessionText(session.starts_at, reader.timeZone, dayOfReader(reader))} ·{' '}
            {session.minutes} minutes ·{' '}
            <SessionPlace
              kind={session.kind}
              place={session.place}
              isAhead={session.state === 'scheduled'}
            />
          </p>
        )}
      </header>
      {children}
    </div>
  );
}

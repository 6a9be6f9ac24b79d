import { SESSION_KIND_LABELS } from '#domain/session.ts';
import type { SessionKind } from '#domain/session-values.ts';

interface PlaceProps {
  kind: SessionKind;
  place: string | null;
  /** Whether it's still to come, so that a link or a number is of use. */
  isAhead?: boolean;
}

/** How and where a session is: an address, a number to call or a link to open. */
export function SessionPlace({ kind, place, isAhead = true }: PlaceProps) {
  const label = SESSION_KIND_LABELS[kind];
  if (!place) return <>{label}</>;
  if (kind === 'online' && isAhead && /^https?:\/\//i.test(place)) {
    return (
      <>
        {label} ·{' '}
        <a className="link" href={place} rel="noopener noreferrer" target="_blank">
          Join<span className="sr-only"> (opens in a new tab)</span>
        </a>
      </>
    );
  }
  if (kind === 'phone' && isAhead && /^[+\d][\d\s().x/-]{4,}$/.test(place)) {
    return (
      <>
        {label} ·{' '}
        <a className="link whitespace-nowrap" href={`tel:${place.replace(/[^\d+]/g, '')}`}>
          {place}
        </a>
      </>
    );
  }
  return (
    <>
      {label} · {place}
    </>
  );
}

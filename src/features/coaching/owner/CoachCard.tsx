import { isOpenEngagement } from '#domain/engagement.ts';
import { writeHref } from '#lib/routing/write-href.ts';
import { Button } from '#ui/Button.tsx';
import type { Engagement } from '../coaching-store.ts';
import { CoachFacts, CoachHead } from './CoachFacts.tsx';
import type { Reader } from './reader.ts';

interface CoachCardProps {
  engagement: Engagement;
  areas: readonly { key: string; name: string }[];
  reader: Reader;
}

/** The coach, and how to write to them. Once coaching has ended, only their name. */
export function CoachCard({ engagement, areas, reader }: CoachCardProps) {
  const { coach, state } = engagement;
  if (!coach) return null;
  const mayWrite = isOpenEngagement(engagement) || state === 'unreachable';
  const id = `coach-${engagement.id}`;
  return (
    <section aria-labelledby={id} className="card flex flex-col gap-4 p-5 md:p-6">
      <h3 id={id} className="sr-only">
        Your coach
      </h3>
      <CoachHead coach={coach}>
        <span className="block text-xs text-muted">
          {state === 'assigned' ? 'Has your request' : 'Your coach'}
        </span>
      </CoachHead>
      {coach.about && (
        <p className="text-sm whitespace-pre-line [overflow-wrap:anywhere]">{coach.about}</p>
      )}
      <CoachFacts coach={coach} areas={areas} reader={reader} />
      {mayWrite && (
        <Button variant="secondary" href={writeHref('engagement', engagement.id)}>
          Message {coach.full_name || 'your coach'}
        </Button>
      )}
    </section>
  );
}

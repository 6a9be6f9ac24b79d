import type { AdminEngagement } from '#data/admin-engagement.ts';
import { awayText } from '#domain/admin-coaching.ts';
import { dayText, nearDayText } from '#lib/locale/dates.ts';
import { Button } from '#ui/Button.tsx';
import { Notice } from '#ui/Notice.tsx';

interface AttentionProps {
  engagement: AdminEngagement['engagement'];
  /** The admin's IANA time zone and the day there. */
  timeZone: string;
  today: string;
  /** Opens the choice of another coach. */
  onHandOver: () => void;
}

/** What an admin has to decide first: the owner's wish for another coach, or a coach who's away. */
export function Attention({ engagement, timeZone, today, onHandOver }: AttentionProps) {
  const { change_requested_at, change_reason, owner, coach, closed_at } = engagement;
  if (closed_at !== null || !coach) return null;
  const name = coach.name || 'The coach';
  const change = (
    <Button size="small" needsScript onClick={onHandOver}>
      Choose another coach
    </Button>
  );
  if (change_requested_at) {
    return (
      <Notice
        tone="caution"
        title={`${owner?.name || 'The owner'} asks for another coach`}
        action={change}
      >
        {change_reason && (
          <p className="max-w-prose whitespace-pre-line wrap-anywhere">“{change_reason}”</p>
        )}
        <p className="text-muted">
          Asked on {dayText(change_requested_at, timeZone)}. {name} doesn’t know about it.
        </p>
      </Notice>
    );
  }
  if (!coach.away) return null;
  return (
    <Notice
      tone="caution"
      title={`${name} ${awayText(coach.away, (day) => nearDayText(day, today))}`}
      action={change}
    >
      {coach.away.why === 'leaving' || coach.away.why === 'gone'
        ? 'Hand this client over, so that they aren’t left without anyone.'
        : 'If the owner can’t wait, hand them over to someone else.'}
    </Notice>
  );
}

import { useEffect, useRef } from 'react';
import type { Engagement, SkillArea } from '#data/coaching.ts';
import { isOpenEngagement, ownerText, withdrawText } from '#domain/engagement.ts';
import { dayText } from '#lib/locale/dates.ts';
import { writeHref } from '#lib/routing/write-href.ts';
import { Button } from '#ui/Button.tsx';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { useReady } from '#ui/use-ready.ts';

interface CardProps {
  engagement: Engagement;
  business: string | null;
  areas: SkillArea[];
  timeZone: string;
  /** Whether the card takes focus when it appears. */
  focus: boolean;
  onShare: (shared: boolean) => void;
  onWithdraw: () => void;
}

/** One engagement as its owner sees it: its state, what's next and who can see results. */
export function EngagementCard(props: CardProps) {
  const { engagement, business, focus } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focus) heading.current?.focus();
  }, [focus]);
  const words = ownerText(engagement);
  const open = isOpenEngagement(engagement);
  return (
    <section aria-labelledby={`state-${engagement.id}`} className="card p-6 md:p-8">
      {business && <p className="eyebrow [overflow-wrap:anywhere]">{business}</p>}
      <h2 id={`state-${engagement.id}`} ref={heading} tabIndex={-1} className="mt-1">
        {words.title}
      </h2>
      <p className="mt-2 max-w-[60ch] text-muted">{words.next}</p>
      {open && engagement.coach_id && (
        <p className="mt-4">
          <a className="link" href={writeHref('engagement', engagement.id)}>
            Message {engagement.coach_name || 'your coach'}
          </a>
        </p>
      )}
      <Facts {...props} />
      {open && <Controls {...props} />}
    </section>
  );
}

function Facts({ engagement, areas, timeZone }: CardProps) {
  const { requested_at, assigned_at, note } = engagement;
  const about = areas.filter(({ key }) => engagement.areas.includes(key)).map(({ name }) => name);
  return (
    <dl className="mt-5 grid max-w-[68ch] gap-x-6 gap-y-2 text-sm sm:grid-cols-[8rem_minmax(0,1fr)]">
      <Fact name="Requested on" value={dayText(requested_at, timeZone)} />
      <Fact name="Coach since" value={assigned_at && dayText(assigned_at, timeZone)} />
      <Fact name="About" value={about.join(', ')} />
      <Fact
        name="Your note"
        value={note}
        className="whitespace-pre-line [overflow-wrap:anywhere]"
      />
    </dl>
  );
}

interface FactProps {
  name: string;
  value: string | null;
  className?: string;
}

const Fact = ({ name, value, className }: FactProps) =>
  value && (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className={className}>{value}</dd>
    </>
  );

function Controls({ engagement, business, onShare, onWithdraw }: CardProps) {
  const ready = useReady();
  return (
    <div className="mt-6 flex flex-col items-start gap-5 border-t border-line pt-5">
      <Checkbox
        label="Let my coach read my submitted results"
        hint={
          engagement.results_shared
            ? 'Shared. Uncheck the box and your coach loses access right away.'
            : 'Not shared. Your coach can see you’re a client, but not your results.'
        }
        checked={engagement.results_shared}
        disabled={!ready}
        onChange={(event) => onShare(event.currentTarget.checked)}
      />
      <Button variant="secondary" size="small" onClick={onWithdraw}>
        {withdrawText(engagement, business).button}
      </Button>
    </div>
  );
}

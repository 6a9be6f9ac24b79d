import { withdrawText } from '#domain/engagement-text.ts';
import { dayText } from '#lib/locale/dates.ts';
import { Button } from '#ui/Button.tsx';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { enabledWhenReady } from '#ui/until-ready.ts';
import type { Engagement } from '../coaching-store.ts';
import type { Asking } from './asking.ts';
import { areaNames } from './CoachFacts.tsx';
import type { Reader } from './reader.ts';

interface SharingProps {
  engagement: Engagement;
  onShare: (shared: boolean) => void;
}

/** Whether the coach can read results. */
export function Sharing({ engagement, onShare }: SharingProps) {
  const id = `sharing-${engagement.id}`;
  return (
    <section aria-labelledby={id} className="card p-5 md:p-6">
      <h3 id={id} className="mb-3 text-base">
        Your results
      </h3>
      <Checkbox
        label="Let my coach read my results"
        hint={
          engagement.results_shared
            ? 'Shared. Uncheck the box and your coach loses access right away.'
            : 'Not shared. Your coach can see you’re a client, but not your results.'
        }
        checked={engagement.results_shared}
        {...enabledWhenReady()}
        onChange={(event) => onShare(event.currentTarget.checked)}
      />
    </section>
  );
}

interface RequestFactsProps {
  engagement: Engagement;
  areas: readonly { key: string; name: string }[];
  business: string | null;
  reader: Reader;
  onAsk: (asking: Asking) => void;
  onWithdraw: () => void;
}

/** What the owner asked for, and how to change it. */
export function RequestFacts(props: RequestFactsProps) {
  const { engagement, areas, business, reader, onAsk, onWithdraw } = props;
  const { state, change_requested, coach } = engagement;
  const id = `request-${engagement.id}`;
  const ready = { size: 'small', variant: 'quiet', needsScript: true } as const;
  return (
    <section aria-labelledby={id} className="card flex flex-col gap-4 p-5 md:p-6">
      <h3 id={id} className="text-base">
        Your request
      </h3>
      <Facts engagement={engagement} areas={areas} reader={reader} />
      <div className="border-t border-line pt-3">
        <div className="-mx-3 -mb-2 flex flex-wrap">
          {state === 'active' && (
            <Button {...ready} onClick={() => onAsk({ kind: 'pause' })}>
              Pause coaching
            </Button>
          )}
          {coach && !change_requested && (
            <Button {...ready} onClick={() => onAsk({ kind: 'other-coach' })}>
              Ask for another coach
            </Button>
          )}
          <Button {...ready} onClick={onWithdraw}>
            {withdrawText(engagement, business).button}
          </Button>
        </div>
      </div>
    </section>
  );
}

type FactsProps = Pick<RequestFactsProps, 'engagement' | 'areas' | 'reader'>;

/** When the owner asked, what about, and their note. */
export function Facts({ engagement, areas, reader }: FactsProps) {
  const { requested_at, note } = engagement;
  const about = areaNames(engagement.areas, areas).join(', ');
  return (
    <dl className="flex flex-col gap-2.5 text-sm">
      <Fact name="Requested on" value={dayText(requested_at, reader.timeZone)} />
      <Fact name="About" value={about} />
      <Fact name="Your note" value={note} />
    </dl>
  );
}

const Fact = ({ name, value }: { name: string; value: string | null }) =>
  value && (
    <div>
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="whitespace-pre-line [overflow-wrap:anywhere]">{value}</dd>
    </div>
  );

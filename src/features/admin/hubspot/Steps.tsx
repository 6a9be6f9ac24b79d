import type { HubSpotSync } from '#data/hubspot.ts';
import { countsOf, type HubSpotStep } from '#domain/hubspot.ts';
import { momentText } from '#lib/locale/dates.ts';
import { wholeText } from '#lib/locale/numbers.ts';
import { Button } from '#ui/Button.tsx';
import { Notice } from '#ui/Notice.tsx';
import { Progress } from '#ui/Progress.tsx';
import { Section } from '#ui/Section.tsx';

interface StepsProps {
  sync: HubSpotSync;
  /** The reader's IANA time zone. */
  timeZone: string;
  pending: HubSpotStep | 'replay' | null;
  onStep: (step: HubSpotStep) => void;
  onReplay: () => void;
}

const countText = (count: number, one: string, many: string) =>
  `${wholeText(count)} ${count === 1 ? one : many}`;
const recordsText = (count: number) => countText(count, 'record', 'records');

/** The dry run, sending, stopping, and how far each is. */
export function Steps({ sync, timeZone, pending, onStep, onReplay }: StepsProps) {
  const counts = countsOf(sync.records);
  const { job, refused_links: refusedLinks } = sync;
  const refused = counts.refused + refusedLinks;
  return (
    <Section id="sending" title="Sending">
      <div className="card mt-3 flex flex-col gap-4 p-5">
        <p className="text-sm text-muted">
          {countText(sync.agreed, 'contact', 'contacts')} agreed to the newsletter and can be sent.{' '}
          {countText(sync.not_agreed, 'contact', 'contacts')} didn’t, and never{' '}
          {sync.not_agreed === 1 ? 'is' : 'are'}.
        </p>
        <State sync={sync} timeZone={timeZone} />
        {job?.error && (
          <Notice tone="caution" live="polite" title="It’s waiting and will continue by itself.">
            {job.error} The next try is {momentText(job.run_at, timeZone)}.
          </Notice>
        )}
        {counts.leaving > 0 && (
          <p className="text-sm">
            {recordsText(counts.leaving)} {counts.leaving === 1 ? 'waits' : 'wait'} to be removed
            from HubSpot.
          </p>
        )}
        {refused > 0 && (
          <p className="text-sm">
            HubSpot refused {recordsText(counts.refused)}
            {refusedLinks > 0 &&
              ` and to show ${countText(refusedLinks, 'contact', 'contacts')} with a company`}
            . The table says why.
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <StepButtons sync={sync} pending={pending} onStep={onStep} />
          {refused > 0 && (
            <Button
              size="small"
              variant="secondary"
              needsScript
              pending={pending === 'replay'}
              onClick={onReplay}
            >
              Send all refused ones again
            </Button>
          )}
        </div>
      </div>
    </Section>
  );
}

/** What's going on, in words and as a bar. */
function State({ sync, timeZone }: Pick<StepsProps, 'sync' | 'timeZone'>) {
  const { state, previewed_at: at } = sync;
  const counts = countsOf(sync.records);
  if (state === 'previewing') {
    return (
      <Bar
        label="Looked at in HubSpot"
        text="The dry run is looking at what HubSpot has. It changes nothing there."
        value={counts.compared}
        max={counts.all}
      />
    );
  }
  if (state === 'live') {
    const done = counts.sent + counts.refused;
    const first =
      counts.waiting > 0
        ? 'Records are being sent.'
        : counts.refused > 0
          ? 'HubSpot has everything but what it refused.'
          : 'HubSpot has everything.';
    return (
      <Bar
        label="Sent to HubSpot"
        text={`${first} ${counts.waiting > 0 ? 'From then on' : 'From now on'}, we send each change automatically.`}
        value={done}
        max={Math.max(done + counts.waiting, 1)}
      />
    );
  }
  if (state === 'previewed' && at) {
    return (
      <p role="status">
        The dry run of {momentText(at, timeZone)} found {wholeText(counts.fresh)} new,{' '}
        {wholeText(counts.changed)} changed and {wholeText(counts.same)} that HubSpot has already.
        Look through them below. Nothing has been sent.
      </p>
    );
  }
  return (
    <p role="status">
      {state === 'stopped'
        ? `Sending is stopped. ${recordsText(counts.waiting)} ${counts.waiting === 1 ? 'waits' : 'wait'}. People who unsubscribe or delete their account are removed from HubSpot anyway.`
        : 'Nothing is sent. A dry run shows first what sending would change.'}
    </p>
  );
}

function Bar(props: { label: string; text: string; value: number; max: number }) {
  const { label, text, value, max } = props;
  const counted = `${wholeText(Math.min(value, max))} of ${recordsText(max)}`;
  return (
    <div className="flex flex-col gap-2">
      <p role="status">{text}</p>
      <Progress label={label} value={value} max={max} text={counted} />
      <p className="text-sm text-muted">{counted}</p>
    </div>
  );
}

const LABELS: Record<Exclude<HubSpotStep, 'check'>, string> = {
  preview: 'Start a dry run',
  send: 'Send these',
  stop: 'Stop',
};

/** What can be done next, the likeliest first. */
function stepsIn({ state, connection, previewed_at }: HubSpotSync) {
  if (state === 'previewing' || state === 'live') return ['stop'] as const;
  if (connection?.problem !== null) return [];
  if (state === 'off' || !previewed_at) return ['preview'] as const;
  return ['send', 'preview'] as const;
}

function StepButtons({ sync, pending, onStep }: Pick<StepsProps, 'sync' | 'pending' | 'onStep'>) {
  const steps = stepsIn(sync);
  return steps.map((step, index) => (
    <Button
      key={step}
      size="small"
      variant={index === 0 && step !== 'stop' ? 'primary' : 'secondary'}
      needsScript
      pending={pending === step}
      onClick={() => onStep(step)}
    >
      {step === 'send' && sync.state === 'stopped'
        ? 'Continue sending'
        : step === 'preview' && steps.length > 1
          ? 'Repeat the dry run'
          : LABELS[step]}
    </Button>
  ));
}

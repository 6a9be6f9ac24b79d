import { useEffect, useState } from 'react';
import {
  getIssue,
  listRefusals,
  type NewsletterIssue,
  type NewsletterRefusal,
  stopIssue,
  unscheduleIssue,
} from '#data/newsletter.ts';
import { db } from '#lib/db.ts';
import { momentText } from '#lib/locale/dates.ts';
import { wholeText } from '#lib/locale/numbers.ts';
import { hrefFor } from '#lib/routing/href.ts';
import type { Db } from '#lib/supabase.ts';
import { reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Notice } from '#ui/Notice.tsx';
import { Progress } from '#ui/Progress.tsx';
import { Section } from '#ui/Section.tsx';
import { useAction } from '#ui/use-action.ts';

interface IssueProgressProps {
  issue: NewsletterIssue;
  timeZone: string;
  onChange: (issue: NewsletterIssue) => void;
}

/** How often the page asks how far sending is, in ms. */
const LOOK_AGAIN = 3_000;

/** An issue that's scheduled, being sent or sent: how far it is, and stopping it. */
export function IssueProgress({ issue, timeZone, onChange }: IssueProgressProps) {
  const { pending, failure, run } = useAction(reportError);
  const isMoving = issue.state === 'sending' || issue.state === 'scheduled';
  useEffect(() => {
    if (!isMoving) return;
    const look = async () => {
      if (document.visibilityState === 'visible') onChange(await getIssue(await db(), issue.id));
    };
    // The next look retries. What's shown isn't wrong, only older.
    const timer = setInterval(() => void look().catch(() => {}), LOOK_AGAIN);
    return () => clearInterval(timer);
  }, [isMoving, issue.id, onChange]);
  const change = (step: (client: Db) => Promise<NewsletterIssue>) => () =>
    void run(async () => onChange(await step(await db())));
  return (
    <Section id="progress" title="Sending">
      <div className="card mt-3 flex flex-col gap-4 p-5">
        <p role="status">{progressText(issue, timeZone)}</p>
        {issue.begun_at && (
          <Progress
            label="Emails handled"
            value={issue.recipients - issue.waiting}
            max={issue.recipients}
            text={`${wholeText(issue.recipients - issue.waiting)} of ${wholeText(issue.recipients)}`}
          />
        )}
        {issue.problem && (
          <Notice tone="caution" title="The mail server doesn’t take emails right now">
            {issue.problem.reason}{' '}
            {issue.problem.gave_up
              ? 'We’ve given up. Once it works again, stop sending and continue.'
              : 'We’ll keep trying.'}
          </Notice>
        )}
        <Failure failure={failure} />
        <div className="flex flex-wrap gap-2">
          {issue.state === 'sending' && (
            <Button
              size="small"
              variant="danger"
              needsScript
              pending={pending}
              onClick={change((client) => stopIssue(client, issue.id, true))}
            >
              Stop sending
            </Button>
          )}
          {issue.state === 'stopped' && (
            <Button
              size="small"
              needsScript
              pending={pending}
              onClick={change((client) => stopIssue(client, issue.id, false))}
            >
              Continue sending
            </Button>
          )}
          {issue.state === 'scheduled' && (
            <Button
              size="small"
              variant="secondary"
              needsScript
              pending={pending}
              onClick={change((client) => unscheduleIssue(client, issue.id))}
            >
              Unschedule
            </Button>
          )}
          {issue.slug && (
            <Button
              size="small"
              variant="secondary"
              href={hrefFor('/newsletter/[slug]', { slug: issue.slug })}
            >
              Read it on the site
            </Button>
          )}
        </div>
      </div>
      {issue.refused > 0 && <Refusals id={issue.id} count={issue.refused} />}
    </Section>
  );
}

function progressText(issue: NewsletterIssue, timeZone: string): string {
  const { state, recipients, delivered, refused, waiting } = issue;
  if (state === 'scheduled') {
    return `Goes out on ${momentText(issue.send_at ?? '', timeZone)}, to everyone who has confirmed by then: ${wholeText(issue.subscribers)} now.`;
  }
  const left = recipients - delivered - refused - waiting;
  const parts = [
    `${wholeText(delivered)} of ${wholeText(recipients)} sent`,
    refused > 0 && `${wholeText(refused)} refused`,
    left > 0 && `${wholeText(left)} unsubscribed in the meantime`,
    waiting > 0 && `${wholeText(waiting)} waiting`,
  ];
  const begun = momentText(issue.begun_at ?? '', timeZone);
  return `${state === 'stopped' ? 'Stopped. ' : ''}Started ${begun}: ${parts.filter(Boolean).join(', ')}.`;
}

/** Who couldn't be reached, read on request, because the audit log records who reads it. */
function Refusals({ id, count }: { id: string; count: number }) {
  const [rows, setRows] = useState<NewsletterRefusal[] | null>(null);
  const { pending, failure, run } = useAction(reportError);
  const read = () => void run(async () => setRows(await listRefusals(await db(), id)));
  return (
    <div className="mt-4">
      <Failure failure={failure} />
      {!rows && (
        <Button size="small" variant="secondary" needsScript pending={pending} onClick={read}>
          {count === 1
            ? 'See who couldn’t be reached'
            : `See the ${wholeText(count)} who couldn’t be reached`}
        </Button>
      )}
      {rows && (
        <ul className="card flex flex-col gap-3 p-5 text-sm">
          {rows.map(({ contact_id, email, reason }) => (
            <li key={contact_id} className="wrap-anywhere">
              <a
                className="link"
                href={hrefFor('/admin/contacts-summary/[id]', { id: contact_id })}
              >
                {email}
              </a>
              {reason && <span className="block text-muted">{reason}</span>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

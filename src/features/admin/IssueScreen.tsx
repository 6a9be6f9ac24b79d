import { useCallback, useState } from 'react';
import type { NewsletterIssue } from '#data/newsletter.ts';
import { ISSUE_STATE_LABELS } from '#domain/newsletter.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { addToast } from '#stores/toasts.ts';
import { screen } from '#ui/ScreenBoundary.tsx';
import { IssueEditor } from './newsletter/IssueEditor.tsx';
import { IssuePreview } from './newsletter/IssuePreview.tsx';
import { IssueProgress } from './newsletter/IssueProgress.tsx';

interface IssueProps {
  issue: NewsletterIssue;
  personId: string;
  timeZone: string;
}

/** An issue of the newsletter: written with a preview as long as it's a draft, then sent. */
function IssueScreen({ issue: initial, personId, timeZone }: IssueProps) {
  const [issue, setIssue] = useState(initial);
  const change = useCallback((now: NewsletterIssue) => {
    setIssue((before) => {
      if (before.state === 'draft' && now.state !== 'draft') {
        const title =
          now.state === 'scheduled' ? 'The issue is scheduled' : 'The issue is on its way';
        addToast({ tone: 'good', title });
      }
      return now;
    });
  }, []);
  return (
    <div className="flex flex-col gap-6">
      <header className="min-w-0">
        <p className="mb-2 text-sm">
          <a className="link" href={hrefFor('/admin/newsletter')}>
            Newsletter
          </a>
        </p>
        <h1 className="wrap-anywhere">{issue.subject || 'New issue'}</h1>
        <p className="mt-2 text-muted">{ISSUE_STATE_LABELS[issue.state]}</p>
      </header>
      {issue.state === 'draft' ? (
        <IssueEditor issue={issue} personId={personId} timeZone={timeZone} onChange={change} />
      ) : (
        <>
          <IssueProgress issue={issue} timeZone={timeZone} onChange={change} />
          <IssuePreview text={issue} />
        </>
      )}
    </div>
  );
}

export default screen(IssueScreen);

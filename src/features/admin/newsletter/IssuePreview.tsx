import { useEffect, useState } from 'react';
import { type IssuePreview as Preview, previewIssue } from '#data/newsletter.ts';
import { db } from '#lib/db.ts';
import type { AppError } from '#lib/errors.ts';
import { reportError } from '#stores/session.ts';
import type { IssueText } from '#sync/kinds/newsletter.ts';
import { Failure } from '#ui/Failure.tsx';
import { Chips } from '#ui/forms/Chips.tsx';
import { Section } from '#ui/Section.tsx';
import { EmailPreview } from './EmailPreview.tsx';

const FORMS = [
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['text', 'Plain text'],
] as const;
type Form = (typeof FORMS)[number][0];

/** How long the typing has to pause before the preview follows, in ms. */
const PAUSE = 400;

/** The issue as its email will look, which follows what's typed. */
export function IssuePreview({ text }: { text: IssueText }) {
  const [form, setForm] = useState<Form>('light');
  const { preview, failure } = usePreview(text);
  return (
    <Section id="preview" title="Preview" className="min-w-0">
      <Chips
        legend="How the email is shown"
        isLegendHidden
        className="mt-1 mb-3"
        options={FORMS}
        chosen={form}
        onChoose={setForm}
      />
      <Failure failure={failure} />
      {preview && form !== 'text' && <EmailPreview html={preview.html} theme={form} />}
      {preview && form === 'text' && (
        <pre className="overflow-x-auto rounded-card border border-line bg-surface p-4 text-sm whitespace-pre-wrap wrap-anywhere">
          {preview.text}
        </pre>
      )}
      {!preview && !failure && (
        <p className="flex min-h-96 items-center justify-center rounded-card border border-line text-sm text-muted">
          Loading the preview…
        </p>
      )}
    </Section>
  );
}

function usePreview({ subject, preview: line, body }: IssueText) {
  const [preview, setPreview] = useState<Preview | null>(null);
  const [failure, setFailure] = useState<AppError | null>(null);
  useEffect(() => {
    let isOver = false;
    const render = async () => {
      try {
        const made = await previewIssue(await db(), { subject, preview: line, body });
        if (isOver) return;
        setPreview(made);
        setFailure(null);
      } catch (thrown) {
        if (!isOver) setFailure(reportError(thrown));
      }
    };
    const timer = setTimeout(() => void render(), PAUSE);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [subject, line, body]);
  return { preview, failure };
}

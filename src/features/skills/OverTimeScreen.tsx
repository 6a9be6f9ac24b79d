import type { AttemptPage, Skills } from '#data/skills.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { AttemptsSection } from './AttemptsSection.tsx';
import { ComparisonSection } from './ComparisonSection.tsx';
import { TrendSection } from './TrendSection.tsx';

interface OverTimeProps {
  skills: Pick<Skills, 'latest' | 'trend' | 'comparison' | 'attempts'>;
  /** A page of older attempts; null for the first page. */
  older: AttemptPage | null;
  /** The reader's IANA time zone. */
  timeZone: string;
}

/** How a business's skills moved: what changed, the scores over time, every past attempt. */
function OverTimeScreen({ skills, older, timeZone }: OverTimeProps) {
  const { latest, trend, attempts } = skills;
  const page = older ?? attempts;
  if (!older && page.items.length === 0) {
    return (
      <EmptyState
        title="Nothing to compare yet"
        action={<Button href={hrefFor('/dashboard/skills/quiz')}>Start the quiz</Button>}
      >
        Take the full quiz now and again in 90 days. Then you’ll see here what changed, answer by
        answer.
      </EmptyState>
    );
  }
  return (
    <div className="flex flex-col gap-8">
      {trend.length > 0 && <ComparisonSection {...skills} timeZone={timeZone} />}
      {latest && <TrendSection trend={trend} areas={latest.areas} timeZone={timeZone} />}
      <AttemptsSection page={page} older={older !== null} timeZone={timeZone} />
    </div>
  );
}

export default screen(OverTimeScreen);

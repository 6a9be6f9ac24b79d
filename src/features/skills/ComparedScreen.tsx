import type { Skills } from '#data/skills.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { BenchmarkSection } from './BenchmarkSection.tsx';

interface ComparedProps {
  skills: Pick<Skills, 'latest' | 'benchmark'>;
  /** The current business. */
  businessId: string;
  /** The reader's IANA time zone. */
  timeZone: string;
}

/** The latest scores next to those of similar businesses, or what's missing for that. */
function ComparedScreen({ skills: { latest, benchmark }, businessId, timeZone }: ComparedProps) {
  if (latest?.attempt.kind === 'full' && benchmark) {
    return <BenchmarkSection {...{ benchmark, businessId, latest, timeZone }} />;
  }
  return (
    <EmptyState
      title="Take the full quiz first"
      action={<Button href={hrefFor('/dashboard/skills/quiz')}>Start the quiz</Button>}
    >
      We compare full quizzes only, with businesses of the same industry and stage, and only where
      there are at least 20 of them.
    </EmptyState>
  );
}

export default screen(ComparedScreen);

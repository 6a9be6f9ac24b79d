import type { OwnEngagement } from '#data/own-coaching.ts';
import { screen } from '#ui/ScreenBoundary.tsx';
import { currentOf } from './owner/current.ts';
import { LoopChart } from './story/LoopChart.tsx';
import { hasWork, isWorthDrawing } from './story/loop.ts';
import { StoryList } from './story/StoryList.tsx';

interface StoryProps {
  engagements: readonly OwnEngagement[];
  businesses: readonly { id: string; name: string }[];
  areas: readonly { key: string; name: string }[];
  /** ISO 8601, now. */
  now: string;
  today: string;
  timeZone: string;
}

/** The work so far with each coach, drawn and in words. It doesn't need JavaScript. */
function StoryScreen({ engagements, businesses, ...rest }: StoryProps) {
  const shown = currentOf(engagements).filter(({ story }) => story);
  return shown.map((engagement) => (
    <OneStory
      key={engagement.id}
      {...rest}
      engagement={engagement}
      business={
        shown.length > 1
          ? (businesses.find(({ id }) => id === engagement.business_id)?.name ?? null)
          : null
      }
    />
  ));
}

interface OneProps extends Omit<StoryProps, 'engagements' | 'businesses'> {
  engagement: OwnEngagement;
  business: string | null;
}

function OneStory({ engagement: { id, story }, business, areas, now, today, timeZone }: OneProps) {
  const loop = story?.loop.filter(hasWork) ?? [];
  const timeline = story?.timeline ?? [];
  // A request that nobody has answered is all in the card above.
  if (loop.length === 0 && timeline.length < 3) return null;
  return (
    <section aria-labelledby={`story-${id}`} className="card p-5 md:p-6">
      {business && <p className="eyebrow [overflow-wrap:anywhere]">{business}</p>}
      <h2 id={`story-${id}`}>The work so far</h2>
      {isWorthDrawing(loop) && (
        <>
          <p className="mt-1 mb-6 max-w-[60ch] text-sm text-muted">
            Each skill from quiz to quiz, with what you did in between. Taking the quiz again shows
            whether it worked.
          </p>
          <LoopChart loop={loop} now={now} timeZone={timeZone} />
        </>
      )}
      {timeline.length > 0 && (
        <>
          <h3 className="mt-8 mb-4">What happened</h3>
          <StoryList
            timeline={timeline}
            areas={areas}
            sessionHref={(session) => `#session-${session}`}
            today={today}
            timeZone={timeZone}
          />
        </>
      )}
    </section>
  );
}

export default screen(StoryScreen);

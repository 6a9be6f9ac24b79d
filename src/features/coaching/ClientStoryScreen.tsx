import type { Client } from '#data/coaching-client.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';
import { nameOf } from './client/dialog-deps.ts';
import { LoopChart } from './story/LoopChart.tsx';
import { hasWork, isWorthDrawing } from './story/loop.ts';
import { StoryList } from './story/StoryList.tsx';
import { dayOfReader, type Reader } from './when.ts';

interface StoryProps {
  client: Client;
  reader: Reader;
}

/**
 * What happened with a client, drawn by skill and told in order; the owner sees the same. It
 * doesn't need JavaScript.
 */
function ClientStoryScreen({ client, reader }: StoryProps) {
  const loop = client.loop.filter(hasWork);
  return (
    <Section id="story" title="Story" className="card scroll-mt-20 p-5 md:p-6">
      <p className="mt-1 text-sm text-muted">{nameOf(client)} sees this too.</p>
      {/* Folded on a phone, where it's long. A browser that can't open it by style keeps its summary. */}
      <details className="sm:details-content:[content-visibility:visible]">
        <summary className="link mt-2 inline-block py-1 text-sm pointer-coarse:py-3 sm:supports-[selector(::details-content)]:hidden">
          {client.timeline.length === 1 ? '1 entry' : `${client.timeline.length} entries`}
        </summary>
        {isWorthDrawing(loop) && (
          <div className="mt-5 border-b border-line pb-5">
            <LoopChart loop={loop} now={reader.now} timeZone={reader.timeZone} />
          </div>
        )}
        <div className="mt-5">
          <StoryList
            timeline={client.timeline}
            areas={client.skill_areas}
            sessionHref={(id) => hrefFor('/dashboard/coaching/sessions/[id]', { id })}
            today={dayOfReader(reader)}
            timeZone={reader.timeZone}
          />
        </div>
      </details>
    </Section>
  );
}

export default screen(ClientStoryScreen);

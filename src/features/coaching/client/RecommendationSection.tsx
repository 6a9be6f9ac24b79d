import type { ClientRecord } from '#data/coaching-client.ts';
import type { RecommendationState } from '#domain/session.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { Section } from '#ui/Section.tsx';
import { Still } from '#ui/Still.tsx';

interface RecommendedProps {
  client: ClientRecord;
  /** Null once coaching is closed. */
  onAdd: (() => void) | null;
}

const STATES: Record<RecommendationState, string> = {
  open: 'Not answered yet',
  taken: 'Taken up',
  dismissed: 'Not for them',
};

/** The tools and projects that the coach recommended, and what became of them. */
export function RecommendationSection({ client, onAdd }: RecommendedProps) {
  const { recommendations } = client;
  return (
    <Section id="recommended" title="Recommended" className="card scroll-mt-20 p-5 md:p-6">
      <Still of={[client]}>{() => <Recommended all={recommendations} />}</Still>
      {onAdd && (
        <Button className="mt-4" size="small" variant="secondary" needsScript onClick={onAdd}>
          Recommend something
        </Button>
      )}
    </Section>
  );
}

const Recommended = ({ all }: { all: ClientRecord['recommendations'] }) => (
  <>
    {all.length === 0 && <p className="mt-2 text-sm text-muted">Nothing recommended yet.</p>}
    <ul className="mt-2 flex flex-col divide-y divide-line empty:hidden">
      {all.map(({ id, tool, title, note, state, project_id }) => {
        const name = tool?.title ?? title ?? 'A tool that’s no longer in the toolbox';
        const href = tool
          ? `${hrefFor('/dashboard/toolbox')}?item=${tool.slug}`
          : project_id && hrefFor('/dashboard/projects/[id]', { id: project_id });
        return (
          <li key={id} className="py-2.5 text-sm">
            {href ? (
              <a className="link wrap-anywhere" href={href}>
                {name}
              </a>
            ) : (
              <span className="wrap-anywhere">{name}</span>
            )}
            <span className="block text-xs text-muted">{STATES[state]}</span>
            {note && <span className="block text-muted wrap-anywhere">{note}</span>}
          </li>
        );
      })}
    </ul>
  </>
);

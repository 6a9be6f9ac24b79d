import type { CoachRecommendation } from '#data/coaching-actions.ts';
import { coachName } from '#domain/engagement-text.ts';
import { chooseBusiness } from '#lib/business-choice.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { recommendedHref } from '#lib/routing/recommended-project.ts';
import { Button } from '#ui/Button.tsx';
import type { CoachingStore, Engagement } from '../coaching-store.ts';

interface RecommendationsProps {
  store: CoachingStore;
  engagement: Engagement;
}

/** Tools and projects that the coach recommends, with their note. Settled ones are below. */
export function Recommendations({ store, engagement }: RecommendationsProps) {
  const { recommendations } = engagement;
  if (recommendations.length === 0) return null;
  const open = recommendations.filter(({ state }) => state === 'open');
  const taken = recommendations.filter(({ state }) => state === 'taken');
  const name = coachName(engagement);
  const id = `recommended-${engagement.id}`;
  return (
    <section aria-labelledby={id} className="card p-5 md:p-6">
      <h3 id={id} tabIndex={-1}>
        {name.charAt(0).toUpperCase() + name.slice(1)} recommends
      </h3>
      {open.length === 0 && <p className="mt-2 text-sm text-muted">Nothing open right now.</p>}
      <ul className="mt-2 -mb-3 divide-y divide-line">
        {open.map((each) => (
          <Open key={each.id} store={store} engagement={engagement} recommended={each} />
        ))}
      </ul>
      {taken.length > 0 && (
        <details className="mt-4 text-sm">
          <summary className="link inline-block py-1 pointer-coarse:py-3">
            Taken so far: {taken.length}
          </summary>
          <ul className="mt-1 divide-y divide-line">
            {taken.map((each) => (
              <li key={each.id} className="py-2 [overflow-wrap:anywhere]">
                <Taken recommended={each} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

const toolHref = (slug: string) => `${hrefFor('/dashboard/toolbox')}?item=${slug}`;

function Open({
  store,
  engagement,
  recommended,
}: RecommendationsProps & { recommended: CoachRecommendation }) {
  const { id, kind, tool, title, note } = recommended;
  const name = tool?.title ?? title ?? 'A tool that’s no longer in the toolbox';
  const settle = (state: 'taken' | 'dismissed') => {
    document.getElementById(`recommended-${engagement.id}`)?.focus();
    void store.settleRecommendation(id, state);
  };
  return (
    <li className="flex flex-col gap-2 py-4">
      <p className="text-sm">
        <span className="font-semibold [overflow-wrap:anywhere]">{name}</span>
        <span className="text-muted">
          {' '}
          ·{' '}
          {kind === 'project' ? 'project' : tool ? `${tool.type}, ${tool.minutes} minutes` : 'tool'}
        </span>
      </p>
      {note && (
        <p className="max-w-[60ch] border-l-2 border-leaf-light pl-3 text-sm whitespace-pre-line [overflow-wrap:anywhere]">
          {note}
        </p>
      )}
      <p className="mt-1 flex flex-wrap gap-2">
        {kind === 'project' ? (
          <Button
            size="small"
            href={recommendedHref(
              { id, title: name, engagementId: engagement.id },
              recommended.area_key,
            )}
            // The new project's page is for the current business.
            onClick={() => chooseBusiness(engagement.business_id)}
          >
            Start this project<span className="sr-only">: {name}</span>
          </Button>
        ) : (
          tool && (
            <>
              <Button size="small" variant="secondary" href={toolHref(tool.slug)}>
                Open the tool<span className="sr-only">: {name}</span>
              </Button>
              <Button size="small" variant="quiet" needsScript onClick={() => settle('taken')}>
                I’ve used it<span className="sr-only">: {name}</span>
              </Button>
            </>
          )
        )}
        <Button size="small" variant="quiet" needsScript onClick={() => settle('dismissed')}>
          Not for me<span className="sr-only">: {name}</span>
        </Button>
      </p>
    </li>
  );
}

function Taken({ recommended: { tool, title, project_id } }: { recommended: CoachRecommendation }) {
  if (project_id) {
    return (
      <a className="link" href={hrefFor('/dashboard/projects/[id]', { id: project_id })}>
        {title}
      </a>
    );
  }
  if (!tool) return <span className="text-muted">{title ?? 'A tool that’s no longer there'}</span>;
  return (
    <a className="link" href={toolHref(tool.slug)}>
      {tool.title}
    </a>
  );
}

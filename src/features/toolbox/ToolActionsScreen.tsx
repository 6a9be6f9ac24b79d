import { useState } from 'react';
import { copyTool, type Tool } from '#data/toolbox.ts';
import { db } from '#lib/db.ts';
import { dayText } from '#lib/locale/dates.ts';
import { newId } from '#lib/new-id.ts';
import { hrefFor } from '#lib/routing/href.ts';
import type { RoutePath } from '#lib/routing/routes.ts';
import { reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { Failure } from '#ui/Failure.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { useAction } from '#ui/use-action.ts';
import { MarkButtons, useMarks } from './MarkButtons.tsx';

interface ToolActionsProps {
  tool: Pick<Tool, 'slug' | 'title' | 'saved_at' | 'done_at' | 'fillable' | 'copies'>;
  /** The current business; a new copy belongs to it. */
  business: { id: string; name: string } | null;
  timeZone: string;
}

/** Lets users save a tool, mark it as done, and fill in a copy for their business. */
function ToolActionsScreen({ tool, business, timeZone }: ToolActionsProps) {
  const store = useMarks([tool]);
  return (
    <div className="mt-5 flex flex-wrap items-end gap-3 print:hidden">
      {(tool.fillable || tool.copies.length > 0) && (
        <FillIn tool={tool} business={business} timeZone={timeZone} />
      )}
      <MarkButtons store={store} slug={tool.slug} title={tool.title} />
    </div>
  );
}

/** Tools that a business has once, each on a page of its own, by slug. */
const PAGES: Record<string, { path: RoutePath; words: string }> = {
  'one-page-plan': { path: '/dashboard/businesses/[id]/plan', words: 'Write your plan' },
  'cash-forecast': {
    path: '/dashboard/businesses/[id]/forecast',
    words: 'Fill in your forecast',
  },
};

function FillIn({ tool, business, timeZone }: ToolActionsProps) {
  // Retries reuse the id, so a copy whose response got lost isn't created twice.
  const [id] = useState(newId);
  const { pending, failure, run } = useAction(reportError);
  if (!business) {
    return (
      <p className="text-sm text-muted">
        To fill it in here,{' '}
        <a className="link" href="#name-business">
          name your business
        </a>{' '}
        first. You can print it without one.
      </p>
    );
  }
  const page = PAGES[tool.slug];
  const href = (copyId: string) => `${hrefFor('/dashboard/toolbox')}?copy=${copyId}`;
  const make = () =>
    run(async () => {
      await copyTool(await db(), { id, slug: tool.slug, businessId: business.id });
      location.assign(href(id));
      return 'leaving';
    });
  return (
    <div className="flex flex-col items-start gap-3">
      {tool.copies.length > 0 && (
        <ul className="flex flex-col gap-1 text-sm">
          {tool.copies.map((copy) => (
            <li key={copy.id}>
              <a className="link" href={href(copy.id)}>
                {copy.title}
              </a>{' '}
              <span className="text-muted">
                for {business.name}, {dayText(copy.updated_at, timeZone)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {page && tool.fillable && (
        <Button href={hrefFor(page.path, { id: business.id })}>{page.words}</Button>
      )}
      {!page && tool.fillable && (
        <Button
          variant={tool.copies.length > 0 ? 'secondary' : 'primary'}
          pending={pending}
          onClick={() => void make()}
        >
          {tool.copies.length > 0 ? 'Start another copy' : `Fill it in for ${business.name}`}
        </Button>
      )}
      <Failure failure={failure} title="We couldn’t create the copy" />
    </div>
  );
}

export default screen(ToolActionsScreen);

import type { AdminOverview } from '#data/overview.ts';
import { OPEN_ENGAGEMENT_STATES } from '#domain/engagement.ts';
import { countText } from '#lib/browser/unread-title.ts';
import { wholeText } from '#lib/locale/numbers.ts';
import { routes } from '#lib/routing/routes.ts';
import { screen } from '#ui/ScreenBoundary.tsx';

interface Figure {
  label: string;
  value: number | string;
  /** The path of the list behind the figure; only linked if that page exists. */
  list: string;
}

const exists = (path: string) => routes.some((route) => route.path === path);

interface OverviewProps {
  overview: AdminOverview;
  /** The admin's unread messages; 100 means 100 or more. */
  unread: number;
}

/** The product in numbers. Rendered on the server only; it doesn't need JavaScript. */
function OverviewScreen({ overview, unread }: OverviewProps) {
  const { attempts, engagements, mail } = overview;
  const open = OPEN_ENGAGEMENT_STATES.reduce((sum, state) => sum + (engagements[state] ?? 0), 0);
  const figures: Figure[] = [
    { label: 'People', value: overview.people, list: '/admin/contacts-summary' },
    { label: 'Coaches', value: overview.coaches, list: '/admin/coaching' },
    { label: 'Businesses', value: overview.businesses, list: '/admin/businesses' },
    { label: 'Quizzes in progress', value: attempts.in_progress ?? 0, list: '/admin/quiz' },
    { label: 'Quizzes finished', value: attempts.submitted ?? 0, list: '/admin/quiz' },
    { label: 'Coaching in progress', value: open, list: '/admin/coaching' },
    { label: 'Coaching requests', value: engagements.requested ?? 0, list: '/admin/coaching' },
    { label: 'Unread messages', value: countText(unread), list: '/dashboard/messages' },
    { label: 'Failed emails', value: mail.failed ?? 0, list: '/admin/resend-verification' },
  ];
  return (
    <dl className="grid grid-cols-2 gap-4 md:grid-cols-3">
      {figures.map(({ label, value, list }) => (
        <div key={label} className="card flex flex-col-reverse justify-end gap-1 p-5">
          <dt className="text-sm text-muted">
            {exists(list) ? (
              <a className="link" href={list}>
                {label}
              </a>
            ) : (
              label
            )}
          </dt>
          <dd className="font-display text-2xl tabular-nums">
            {typeof value === 'number' ? wholeText(value) : value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

export default screen(OverviewScreen);

/** An admin's first screen: what waits, the figures, and the list behind each of them. */
import { choiceParam, type FilterOf, filterCodec, textParam } from './list.ts';

export const VIEW_DAYS = ['7', '28', '90', '365'] as const;

/** The range of the page views, in days, and the route that's shown by day; '' means all. */
export const overviewFilter = filterCodec({
  days: choiceParam('days', VIEW_DAYS, '28'),
  route: textParam('route', 200),
});
export type OverviewFilter = FilterOf<typeof overviewFilter>;

/** A number on the screen, and the URL of the list that it counts; null if there's no such list. */
interface Counted<Name extends string> {
  name: Name;
  label: string;
  list: string | null;
}

/** What waits for an admin, most urgent first. */
export const TASKS = [
  {
    name: 'unassigned',
    label: 'Coaching requests without a coach',
    list: '/admin/coaching?state=requested',
  },
  {
    name: 'late',
    label: 'Coaching where the next step is late',
    list: '/admin/coaching?late=1',
  },
  {
    name: 'quotes',
    label: 'Quotes to make',
    list: '/admin/orders?state=draft&method=purchase_order',
  },
  {
    name: 'purchase_orders',
    label: 'Purchase orders to invoice',
    list: '/admin/orders?state=po_received',
  },
  { name: 'overdue', label: 'Overdue invoices', list: '/admin/orders?overdue=1' },
  {
    name: 'support',
    label: 'People who wrote to support, unread',
    list: '/dashboard/messages?show=support',
  },
  {
    name: 'contacts',
    label: 'Messages to answer',
    list: '/admin/contacts-summary?show=waiting',
  },
  { name: 'reports', label: 'Reported messages', list: '/admin/messages' },
  {
    name: 'mails',
    label: 'Emails that couldn’t be sent',
    list: '/admin/jobs?state=failed&kind=mail',
  },
  { name: 'jobs', label: 'Other failed jobs', list: '/admin/jobs?state=failed&kind=other' },
  {
    name: 'hubspot',
    label: 'Records that HubSpot refused',
    list: '/admin/hubspot-sync?state=refused',
  },
  {
    name: 'wrike',
    label: 'Projects that Wrike refused',
    list: '/admin/wrike-test?state=refused',
  },
  { name: 'toggles', label: 'Toggles to look at again', list: '/admin/toggles?state=review' },
  {
    name: 'old_tools',
    label: 'Tools to review again',
    list: '/admin/toolbox?review=due',
  },
] as const satisfies readonly Counted<string>[];

/** The figures, with what a week of their trend counts. */
export const FIGURES = [
  { name: 'people', label: 'People', list: '/admin/people', each: 'joined' },
  {
    name: 'businesses',
    label: 'Businesses',
    list: '/admin/businesses?state=active',
    each: 'added',
  },
  {
    name: 'attempts',
    label: 'Finished quizzes',
    list: '/admin/quiz?state=submitted',
    each: 'finished',
  },
  { name: 'engagements', label: 'Open coaching', list: '/admin/coaching', each: 'requested' },
  { name: 'sessions', label: 'Sessions held', list: null, each: 'held' },
  { name: 'projects', label: 'Open projects', list: '/admin/projects', each: 'started' },
  { name: 'contacts', label: 'Contacts', list: '/admin/contacts-summary', each: 'new' },
  { name: 'orders', label: 'Orders', list: '/admin/orders', each: 'placed' },
] as const satisfies readonly (Counted<string> & { each: string })[];

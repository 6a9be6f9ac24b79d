/**
 * What each guarded page reads from the database. It's loaded together with the session, in one
 * request; a page that asks for something else asks by itself.
 */
import { attemptFilter } from '#domain/admin-attempts.ts';
import { allBusinessesFilter } from '#domain/admin-businesses.ts';
import { engagementFilter } from '#domain/admin-coaching.ts';
import { peopleFilter } from '#domain/admin-people.ts';
import { allProjectsFilter } from '#domain/admin-projects.ts';
import { toggleFilter } from '#domain/admin-toggles.ts';
import { adminToolFilter } from '#domain/admin-tools.ts';
import { auditFilter } from '#domain/audit.ts';
import { businessFilter } from '#domain/business-list.ts';
import { clientFilter } from '#domain/client-list.ts';
import { contactFilter } from '#domain/contact.ts';
import { eventFilter, signupFilter } from '#domain/event.ts';
import { hubspotFilter } from '#domain/hubspot.ts';
import { jobFilter } from '#domain/job.ts';
import { issueFilter } from '#domain/newsletter.ts';
import { notificationFilter } from '#domain/notification.ts';
import { orderFilter, ownOrderFilter } from '#domain/order.ts';
import { overviewFilter } from '#domain/overview.ts';
import { programFilter, seatFilter } from '#domain/program.ts';
import { projectFilter } from '#domain/project-list.ts';
import { surveyResultsFilter } from '#domain/survey-results.ts';

import { TOOL_CALCULATORS, toolFilter } from '#domain/tool.ts';
import { folderFilter, mirrorFilter } from '#domain/wrike.ts';
import { CURRENT_BUSINESS as business, type Call, collectCalls } from '#lib/batch.ts';
import { match } from '#lib/routing/routes.ts';
import { isUuid } from '#lib/routing/uuid.ts';
import type { Db } from '#lib/supabase.ts';
import { getAccount } from './account.ts';
import { listAllAttempts } from './admin-attempts.ts';
import { getAnyBusiness, listAllBusinesses } from './admin-businesses.ts';
import { getCoachingBoard, listEngagements } from './admin-coaching.ts';
import { getEngagement } from './admin-engagement.ts';
import { getAnyProgram, listAllPrograms, listSeats } from './admin-programs.ts';
import { listAllProjects } from './admin-projects.ts';
import { getAdminTool, listAdminTools } from './admin-tools.ts';
import { listAudit } from './audit.ts';
import { getInvitation } from './business-members.ts';
import { getPlan } from './business-plans.ts';
import { getCalculator, getForecast } from './business-worksheets.ts';
import { getBusiness, listBusinesses } from './businesses.ts';
import { getClient } from './coaching-client.ts';
import { getClientCounts, listClients } from './coaching-clients.ts';
import { getSession } from './coaching-sessions.ts';
import { getContact, listContacts } from './contacts.ts';
import { type ConversationShow, getConversation, listConversations } from './conversations.ts';
import { getEvent, listEvents, listSignups } from './events.ts';
import { getHome } from './home.ts';
import { getHubSpot, listHubSpotRecords } from './hubspot.ts';
import { listJobs } from './jobs.ts';
import { listMessageReports } from './message-reports.ts';
import { searchMessages } from './messages.ts';
import { getIssue, listIssues } from './newsletter.ts';
import { listNotifications } from './notifications.ts';
import { getAnyOrder, listAllOrders } from './order-desk.ts';
import { getOrder, listOrders } from './orders.ts';
import { getAdminOverview } from './overview.ts';
import { getOwnCoaching } from './own-coaching.ts';
import { getPerson, listPeople } from './people.ts';
import { listPrices } from './prices.ts';
import { getProfile } from './profiles.ts';
import { getProgram, listOwnPrograms, listOwnSeats } from './programs.ts';
import { listProjects } from './project-list.ts';
import { getProject, getProjectStart } from './projects.ts';
import { getQuiz, listPracticeTools } from './quiz.ts';
import { getEditedVersion, getQuizStatistics, listQuizVersions } from './quiz-versions.ts';
import {
  getBenchmark,
  getResult,
  getSharing,
  getSkills,
  getSkillsOverTime,
  listAttempts,
} from './skills.ts';
import { getSurveyResults } from './survey-results.ts';
import { listToggles } from './toggles.ts';
import { getTool, getToolCopy, listToolbox } from './toolbox.ts';
import { getWrike, listWrikeFolders, listWrikeMirrors } from './wrike.ts';

interface Page {
  db: Db;
  /** The id in the path; empty if it has none. */
  id: string;
  query: URLSearchParams;
}

const oneBusiness = ({ db, id }: Page) => [getBusiness(db, id)];

/** Calls the data functions of a page, by the path of its route. */
const READS: Record<string, (page: Page) => Promise<unknown>[]> = {
  '/dashboard': ({ db }) => [getHome(db, business)],
  '/dashboard/businesses': ({ db, query }) => [listBusinesses(db, businessFilter.read(query))],
  '/dashboard/businesses/[id]': oneBusiness,
  '/dashboard/businesses/[id]/edit': oneBusiness,
  '/dashboard/businesses/[id]/plan': ({ db, id }) => [getPlan(db, id)],
  '/dashboard/businesses/[id]/forecast': ({ db, id }) => [
    getForecast(db, id),
    ...TOOL_CALCULATORS.map((kind) => getCalculator(db, id, kind)),
  ],
  '/dashboard/businesses/invitation': ({ db, query }) => [
    getInvitation(db, query.get('token') ?? ''),
  ],
  '/dashboard/projects': ({ db, query }) => [listProjects(db, projectFilter.read(query), business)],
  '/dashboard/projects/new': ({ db, query }) => [
    getProjectStart(db, business, { area: query.get('area'), question: query.get('action') }),
  ],
  '/dashboard/projects/[id]': ({ db, id }) => [getProject(db, id)],
  '/dashboard/skills': ({ db }) => [getSkills(db, business)],
  '/dashboard/skills/compared': ({ db }) => [getBenchmark(db, business)],
  '/dashboard/skills/sharing': ({ db }) => [getSharing(db, business)],
  '/dashboard/skills/over-time': ({ db, query }) => {
    const [earlier = '', later = '', before = ''] = ['earlier', 'later', 'before'].map(
      (name) => query.get(name) ?? '',
    );
    return [
      getSkillsOverTime(db, business, { earlier, later }),
      ...(before === '' ? [] : [listAttempts(db, business, before)]),
    ];
  },
  '/dashboard/skills/quiz': ({ db }) => [getQuiz(db)],
  '/dashboard/skills/quiz/[id]': ({ db, id }) => [getResult(db, id)],
  '/dashboard/skills/quiz/[id].pdf': ({ db, id }) => [getResult(db, id)],
  '/dashboard/toolbox': ({ db, query }) => {
    const [copy, slug] = [query.get('copy'), query.get('item')];
    if (copy !== null) return [getToolCopy(db, copy)];
    return [
      slug === null
        ? listToolbox(db, toolFilter.read(query), business)
        : getTool(db, slug, business),
    ];
  },
  '/dashboard/messages': ({ db, query }) => {
    const words = messageQuery(query);
    const show = messageShow(query);
    return [
      listConversations(db, words, null, show),
      ...(words ? [searchMessages(db, words)] : []),
    ];
  },
  '/dashboard/messages/conversations/[id]': ({ db, id, query }) => [
    getConversation(db, id, messagePlace(query)),
    listConversations(db),
  ],
  '/dashboard/coaching': ({ db, query }) => [
    getOwnCoaching(db),
    listClients(db, clientFilter.read(query)),
    getClientCounts(db),
  ],
  '/dashboard/coaching/[id]': ({ db, id }) => [getClient(db, id)],
  '/dashboard/coaching/sessions/[id]': ({ db, id, query }) => [
    getSession(db, id),
    ...(isUuid(query.get('client') ?? '') ? [getClient(db, query.get('client') ?? '')] : []),
  ],
  '/dashboard/coaching/sessions/[id].ics': ({ db, id }) => [getSession(db, id)],
  '/dashboard/orders': ({ db, query }) => [listOrders(db, ownOrderFilter.read(query))],
  '/dashboard/orders/new': ({ db }) => [listPrices(db)],
  '/dashboard/orders/[id]': ({ db, id }) => [getOrder(db, id)],
  '/dashboard/programs': ({ db }) => [listOwnSeats(db), listOwnPrograms(db)],
  '/dashboard/programs/[id]': ({ db, id }) => [getProgram(db, id)],
  '/dashboard/notifications': ({ db, query }) => [
    listNotifications(db, notificationFilter.read(query)),
  ],
  '/dashboard/profile': ({ db }) => [getProfile(db)],
  '/dashboard/profile/security': ({ db }) => [getAccount(db)],
  '/dashboard/profile/notifications': ({ db }) => [getProfile(db)],
  '/dashboard/profile/sharing': ({ db }) => [getProfile(db)],
  '/dashboard/profile/data': ({ db }) => [getAccount(db)],
  '/admin': ({ db, query }) => [getAdminOverview(db, overviewFilter.read(query))],
  '/admin/audit': ({ db, query }) => [listAudit(db, auditFilter.read(query))],
  '/admin/contacts-summary': ({ db, query }) => [listContacts(db, contactFilter.read(query))],
  '/admin/contacts-summary/[id]': ({ db, id }) => [getContact(db, id)],
  '/admin/newsletter': ({ db, query }) => [listIssues(db, issueFilter.read(query))],
  '/admin/newsletter/[id]': ({ db, id }) => [getIssue(db, id)],
  '/admin/hubspot-sync': ({ db, query }) => [
    getHubSpot(db),
    listHubSpotRecords(db, hubspotFilter.read(query)),
  ],
  '/admin/wrike-test': ({ db, query }) => [
    getWrike(db),
    listWrikeFolders(db, folderFilter.read(query)),
    listWrikeMirrors(db, mirrorFilter.read(query)),
  ],
  '/admin/jobs': ({ db, query }) => [listJobs(db, jobFilter.read(query))],
  '/admin/people': ({ db, query }) => [listPeople(db, peopleFilter.read(query))],
  '/admin/people/[id]': ({ db, id }) => [getPerson(db, id)],
  '/admin/toggles': ({ db, query }) => [listToggles(db, toggleFilter.read(query))],
  '/admin/resend-verification': ({ db }) => [getAccount(db)],
  '/admin/businesses': ({ db, query }) => [listAllBusinesses(db, allBusinessesFilter.read(query))],
  '/admin/businesses/[id]': ({ db, id }) => [getAnyBusiness(db, id)],
  '/admin/projects': ({ db, query }) => [listAllProjects(db, allProjectsFilter.read(query))],
  '/admin/quiz': ({ db, query }) => [
    listAllAttempts(db, attemptFilter.read(query)),
    listQuizVersions(db),
  ],
  '/admin/quiz/[id]': ({ db, id }) => [
    getEditedVersion(db, id),
    getQuizStatistics(db, id),
    listPracticeTools(db),
  ],
  '/admin/toolbox': ({ db, query }) => [listAdminTools(db, adminToolFilter.read(query))],
  '/admin/toolbox/[id]': ({ db, id }) => [getAdminTool(db, id)],
  '/admin/orders': ({ db, query }) => [listAllOrders(db, orderFilter.read(query))],
  '/admin/orders/[id]': ({ db, id }) => [getAnyOrder(db, id)],
  '/admin/events': ({ db, query }) => [listEvents(db, eventFilter.read(query))],
  '/admin/events/[id]': ({ db, id, query }) => [
    getEvent(db, id),
    listSignups(db, id, signupFilter.read(query)),
  ],
  '/admin/programs': ({ db, query }) => [listAllPrograms(db, programFilter.read(query))],
  '/admin/programs/[id]': ({ db, id, query }) => [
    getAnyProgram(db, id),
    listSeats(db, id, seatFilter.read(query)),
  ],
  '/admin/coaching': ({ db, query }) => [
    getCoachingBoard(db),
    listEngagements(db, engagementFilter.read(query)),
  ],
  '/admin/coaching/[id]': ({ db, id }) => [getEngagement(db, id)],
  '/admin/engagement-results': ({ db, query }) => [
    getSurveyResults(db, surveyResultsFilter.read(query)),
  ],
  '/admin/messages': ({ db, query }) => [listMessageReports(db, reportState(query))],
};

/** The calls that the page at a URL will make, as far as they're known before it's rendered. */
export function pageCalls(db: Db, { pathname, searchParams: query }: URL): Call[] {
  const found = match(pathname);
  const read = found && READS[found.route.path];
  if (!found || !read) return [];
  const page = { db, id: found.params.id ?? '', query };
  return collectCalls(db, () => read(page));
}

/** The words of the messages search, from the URL. */
export const messageQuery = (query: URLSearchParams): string =>
  (query.get('q') ?? '').trim().slice(0, 100).toWellFormed();

/** Which conversations a URL asks for; a search is always in all of them. */
export const messageShow = (query: URLSearchParams): ConversationShow =>
  query.get('show') === 'support' && messageQuery(query) === '' ? 'support' : null;

/** The `seq` of the message that a URL leads to; null if it doesn't. */
export function messagePlace(query: URLSearchParams): number | null {
  const at = Number.parseInt(query.get('at') ?? '', 10);
  return Number.isSafeInteger(at) && at > 0 ? at : null;
}

/** Which reports a URL asks for. */
export const reportState = (query: URLSearchParams) =>
  query.get('state') === 'settled' ? 'settled' : 'open';

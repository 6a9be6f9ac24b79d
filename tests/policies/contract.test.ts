import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { expect, test, vi } from 'vitest';
import * as account from '#data/account.ts';
import { listAllAttempts, voidAttempt } from '#data/admin-attempts.ts';
import * as allBusinesses from '#data/admin-businesses.ts';
import * as adminCoaching from '#data/admin-coaching.ts';
import * as adminEngagement from '#data/admin-engagement.ts';
import * as adminPrograms from '#data/admin-programs.ts';
import { listAllProjects, setDueDates } from '#data/admin-projects.ts';
import * as adminTools from '#data/admin-tools.ts';
import * as attempts from '#data/attempts.ts';
import { listAudit } from '#data/audit.ts';
import { removeAvatar } from '#data/avatars.ts';
import * as members from '#data/business-members.ts';
import * as plans from '#data/business-plans.ts';
import * as snapshots from '#data/business-snapshots.ts';
import * as worksheets from '#data/business-worksheets.ts';
import * as businesses from '#data/businesses.ts';
import * as calendar from '#data/calendar-feed.ts';
import * as coachSettings from '#data/coach-settings.ts';
import * as coachSteps from '#data/coach-steps.ts';
import { getCoachToday } from '#data/coach-today.ts';
import * as coaching from '#data/coaching.ts';
import * as actions from '#data/coaching-actions.ts';
import { getClient } from '#data/coaching-client.ts';
import * as clients from '#data/coaching-clients.ts';
import * as sessions from '#data/coaching-sessions.ts';
import { importContacts } from '#data/contact-import.ts';
import * as contacts from '#data/contacts.ts';
import * as conversations from '#data/conversations.ts';
import * as correspondents from '#data/correspondents.ts';
import * as events from '#data/events.ts';
import { getHome } from '#data/home.ts';
import * as hubspot from '#data/hubspot.ts';
import * as jobs from '#data/jobs.ts';
import { listMemberships } from '#data/memberships.ts';
import * as messageFiles from '#data/message-files.ts';
import * as reports from '#data/message-reports.ts';
import * as messages from '#data/messages.ts';
import * as newsletter from '#data/newsletter.ts';
import * as notifications from '#data/notifications.ts';
import * as desk from '#data/order-desk.ts';
import * as orders from '#data/orders.ts';
import { getAdminOverview } from '#data/overview.ts';
import { getOwnCoaching } from '#data/own-coaching.ts';
import * as admins from '#data/people.ts';
import { listPriceRows, listPrices, setPrice } from '#data/prices.ts';
import * as profiles from '#data/profiles.ts';
import * as programs from '#data/programs.ts';
import * as projectFiles from '#data/project-files.ts';
import { listProjects } from '#data/project-list.ts';
import * as tasks from '#data/project-tasks.ts';
import * as projects from '#data/projects.ts';
import * as quiz from '#data/quiz.ts';
import * as quizVersions from '#data/quiz-versions.ts';
import * as refunds from '#data/refunds.ts';
import * as savedViews from '#data/saved-views.ts';
import { searchEverything } from '#data/search.ts';
import * as grants from '#data/session-grants.ts';
import { redeemRecoveryCode } from '#data/sign-in.ts';
import * as skills from '#data/skills.ts';
import * as surveys from '#data/survey.ts';
import * as surveyResults from '#data/survey-results.ts';
import { listToggles, setToggle, visitorToggles } from '#data/toggles.ts';
import * as toolFiles from '#data/tool-files.ts';
import * as toolbox from '#data/toolbox.ts';
import * as wrike from '#data/wrike.ts';
import { attemptFilter } from '#domain/admin-attempts.ts';
import { allBusinessesFilter } from '#domain/admin-businesses.ts';
import { engagementFilter } from '#domain/admin-coaching.ts';
import { peopleFilter } from '#domain/admin-people.ts';
import { allProjectsFilter } from '#domain/admin-projects.ts';
import { toggleFilter } from '#domain/admin-toggles.ts';
import { adminToolFilter } from '#domain/admin-tools.ts';
import { auditFilter } from '#domain/audit.ts';
import { clientFilter } from '#domain/client-list.ts';
import { contactFilter } from '#domain/contact.ts';
import { eventFilter, signupFilter } from '#domain/event.ts';
import { newForecast } from '#domain/forecast.ts';
import { hubspotFilter } from '#domain/hubspot.ts';
import { jobFilter } from '#domain/job.ts';
import { issueFilter } from '#domain/newsletter.ts';
import { notificationFilter } from '#domain/notification.ts';
import { orderFilter } from '#domain/order.ts';
import { programFilter } from '#domain/program.ts';
import { projectFilter } from '#domain/project-list.ts';
import { surveyResultsFilter } from '#domain/survey-results.ts';
import { folderFilter, mirrorFilter } from '#domain/wrike.ts';
import type { VisitorAnswers } from '#lib/browser/visitor-answers.ts';
import { rpc } from '#lib/rpc.ts';
import type { BrowserDb } from '#lib/supabase.ts';
import { openPage, readFacts } from '#session/session-facts.ts';
import { asPerson, type Person } from '../fixtures/database.ts';
import { dbAnswering } from '../fixtures/db-answering.ts';
import { createAttempt, createNewcomer, openWorld, type World } from '../fixtures/personas.ts';
import { raiseLimits } from '../fixtures/raise-limits.ts';
import { storeObject } from '../fixtures/stored-object.ts';

const state = vi.hoisted(() => ({
  called: new Set<string>(),
  /** The database's latest response, before the schema parsed it. */
  answered: undefined as unknown,
  visitor: undefined as BrowserDb | undefined,
  store: async (_path: string): Promise<void> => {},
}));

// Responses are parsed as usual, but here a key that isn't in the schema fails as well.
vi.mock(import('#lib/rpc.ts'), async (original) => {
  const real = await original();
  const strict: typeof real.rpc = async (db, name, schema, args) => {
    const answer = await real.rpc(db, name, schema, args);
    if (!Object.is(schema, real.ignored) && !isDeepStrictEqual(answer, state.answered))
      throw new Error(
        `${name} answers more than its schema names: ${JSON.stringify(state.answered)}`,
      );
    return answer;
  };
  const visitorRpc: typeof real.visitorRpc = async (name, schema, args) => {
    if (!state.visitor) throw new Error('There is no visitor yet.');
    return strict(state.visitor, name, schema, args);
  };
  return { ...real, rpc: strict, visitorRpc };
});
vi.mock(import('#lib/files/stored-files.ts'), async (original) => ({
  ...(await original()),
  uploadFile: async (_db, { path }) => state.store(path),
}));

/** Procedures that return rows, as an array. */
const GIVES_ROWS = new Set(['set_avatar']);
const done = async () => ({ data: [], error: null });
/** A signed-in supabase-js client that calls the database directly, without a gateway. */
function dbOf({ sql }: World, who: Person): BrowserDb {
  const remove = async (paths: string[]) => {
    await sql`delete from storage.objects where name in ${sql(paths)}`;
    return done();
  };
  return dbAnswering({
    async rpc(name: string, args: Record<string, unknown> = {}) {
      state.called.add(name);
      const given = Object.entries(args).filter(([, value]) => value !== undefined);
      const named = given.map(([key], index) => `${key} => $${index + 1}`).join(', ');
      try {
        const rows = await asPerson(sql, who, (tx) =>
          tx.unsafe(
            `select to_jsonb(public.${name}(${named})) as answer`,
            given.map(([, value]) => value as string),
          ),
        );
        const answers = rows.map(({ answer }) => answer);
        state.answered = GIVES_ROWS.has(name) ? answers : (answers[0] ?? null);
        return { data: state.answered, error: null, status: 200 };
      } catch (error) {
        return { data: null, error, status: 400 };
      }
    },
    storage: { from: () => ({ remove }) },
    auth: {
      getSession: async () => ({ data: { session: null }, error: null }),
      resend: done,
      mfa: {
        listFactors: async () => ({ data: { all: [], totp: [{ id: 'app' }] }, error: null }),
        challengeAndVerify: done,
      },
    },
  });
}

const world = await openWorld();
const { sql, people, ids } = world;
await raiseLimits(sql, ['messages', 'message_changes'], 100_000, 100_000);
const provedAt = Math.floor(Date.now() / 1000);
const dbs = Object.fromEntries(
  Object.entries(people).map(([name, who]) => [name, dbOf(world, { ...who, provedAt })]),
) as Record<keyof World['people'], BrowserDb>;
const { visitor, owner, colleague, otherOwner, coach, otherCoach, admin } = dbs;
state.visitor = visitor;
const id = () => crypto.randomUUID();
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const tokenOf = async (template: string): Promise<string> => {
  const [mail] = await sql`
    select data ->> 'path' as path from private.mails
    where template = ${template} order by created_at desc, id limit 1`;
  return new URL(mail?.path, 'http://site.test').searchParams.get('token') ?? '';
};

async function accounts() {
  await readFacts(owner);
  await openPage(owner, [{ name: 'get_quiz', args: {} }], null);
  await account.getAccount(owner);
  const sessionId = id();
  await sql`
    insert into auth.sessions (id, user_id, user_agent)
    values (${sessionId}, ${people.owner.userId}, 'Phone')`;
  await rpc(owner, 'list_sessions', v.array(account.device));
  await account.endDevice(owner, sessionId);
  await account.exportAccount(owner);
  await account.requestDeletion(colleague, { code: '123456' });
  await account.keepAccount(colleague);
  await removeAvatar(owner);
  await profiles.saveNotifications(owner, { reminders: true, messages: true });
  await profiles.saveDemographics(owner, {
    age_group: null,
    gender: null,
    origins: [],
    veteran: false,
    disability: null,
    place: null,
  });
  await profiles.getProfile(owner);
  await account.makeRecoveryCodes(dbs.ownerWithCode);
  const guess = redeemRecoveryCode(dbs.ownerWithoutCode, 'AAAA-AAAA-AAAA');
  await expect(guess).rejects.toMatchObject({ kind: 'invalid', field: 'code' });
  await admins.readDemographics(admin);
  await admins.saveCoachProfile(admin, people.otherCoach.userId, {
    about: '',
    areas: [],
    industries: [],
    capacity: null,
    accepting: true,
    paused_until: null,
  });
  await admins.listPeople(admin, peopleFilter.read(new URLSearchParams()));
  await admins.getPerson(admin, people.otherOwner.userId);
  const { userId: unconfirmed } = await createNewcomer(world);
  await sql`update auth.users set email_confirmed_at = null where id = ${unconfirmed}`;
  // The links in emails lead to the page's own site.
  vi.stubGlobal('location', new URL('http://site.test'));
  await admins.sendConfirmationAgain(admin, unconfirmed, 'a test');
  vi.unstubAllGlobals();
  await admins.setBlocked(admin, people.otherCoach.userId, true, 'a test');
  await admins.setBlocked(admin, people.otherCoach.userId, false, 'a test');
  await admins.endSessions(admin, people.otherCoach.userId, 'a test');
  await admins.setRole(admin, people.otherCoach.userId, 'owner', 'a test');
  await admins.resetSecondFactor(admin, people.ownerWithCode.userId, 'video', 'a new phone');
  const role = v.object({ user_id: v.string(), role: v.picklist(['owner', 'coach', 'admin']) });
  await rpc(admin, 'set_staff_role', role, {
    p_user_id: people.otherCoach.userId,
    p_role: 'coach',
    p_reason: 'hired',
  });
  await contactsAndImports();
  await newsletterIssues();
  await tools();
  await eventPlaces();
  await notified();
  const [one, two] = [id(), id()];
  for (const each of [one, two]) {
    await businesses.createBusiness(otherOwner, each, {
      name: 'Twin',
      trading: '',
      postalCode: '',
      helpWanted: '',
      industry: 'Food and drink',
      stage: 'Growing',
    });
  }
  await allBusinesses.listAllBusinesses(admin, allBusinessesFilter.read(new URLSearchParams()));
  await allBusinesses.archiveBusinesses(admin, [one], 'a test');
  await allBusinesses.restoreBusinesses(admin, [one], 'a test');
  await allBusinesses.getMergePreview(admin, one, two);
  const merged = await allBusinesses.mergeBusinesses(admin, one, two, 'a test');
  await allBusinesses.getAnyBusiness(admin, one);
  await allBusinesses.undoMerge(admin, merged, 'a test');
  await allBusinesses.getAnyBusiness(admin, ids.alder);
  await listAllProjects(admin, allProjectsFilter.read(new URLSearchParams()));
  await jobs.listJobs(admin, jobFilter.read(new URLSearchParams()));
  await jobs.replayJobs(admin, null);
  await hubspot.getHubSpot(admin);
  await hubspot.mapHubSpot(admin, {
    contact: { id: 'trellis_id', email: 'email' },
    company: { id: 'trellis_id', name: 'name' },
  });
  await hubspot.runHubSpot(admin, 'preview');
  await hubspot.listHubSpotRecords(admin, hubspotFilter.read(new URLSearchParams()));
  await hubspot.replayHubSpot(admin, null);
  await wrike.runWrike(admin, 'list_folders');
  await sql`
    insert into private.wrike_folders (id, title, kind, child_ids, listing, place)
    values ('IEA', 'Clients', 'space', '{}', gen_random_uuid(), 1)`;
  await wrike.listWrikeFolders(admin, folderFilter.read(new URLSearchParams()));
  const mirror = crypto.randomUUID();
  await wrike.mirrorInWrike(admin, mirror, 'IEA', null);
  await wrike.listWrikeMirrors(admin, mirrorFilter.read(new URLSearchParams()));
  await wrike.changeWrikeMirror(admin, mirror, 'remove');
  await wrike.getWrike(admin);
  await visitorToggles(visitor);
  await listToggles(admin, toggleFilter.read(new URLSearchParams()));
  await setToggle(admin, 'registration', {
    audience: 'everyone',
    roles: [],
    percentage: null,
    expiresOn: null,
    ownerId: null,
    reason: 'a test',
  });
  await getAdminOverview(admin, { days: '28', route: '' });
  await listAudit(admin, auditFilter.read(new URLSearchParams()));
  const view = { id: id(), name: 'Mine', query: '?status=blocked' };
  await savedViews.saveView(owner, 'projects', view);
  await savedViews.removeView(owner, view.id);
  for (const who of [owner, coach, admin]) await searchEverything(who, 'alder');
  await getHome(owner, ids.alder);
}

async function notified() {
  const [row] = await sql`
    select private.notify(${people.owner.userId}, 'coaching', 'it', 'T', 'B', '/dashboard') as it`;
  expect(row).toEqual({ it: true });
  const filter = notificationFilter.read(new URLSearchParams());
  const { rows } = await notifications.listNotifications(owner, filter);
  expect(await notifications.openNotification(owner, rows[0]?.id ?? '')).toBe('/dashboard');
  expect(await notifications.markNotificationsRead(owner)).toEqual({ unread: 0 });
  await notifications.getUnread(owner);
}

async function contactsAndImports() {
  await contacts.listContacts(admin, contactFilter.read(new URLSearchParams()));
  const [keep, drop, asked] = [id(), id(), id()];
  await sql`
    insert into public.contacts (id, email)
    values (${keep}, 'keep@contract.test'), (${drop}, 'drop@contract.test')`;
  await sql`
    insert into public.contact_messages (id, contact_id, topic, body)
    values (${asked}, ${drop}, 'general', 'Hello?')`;
  await contacts.setContactMessageOutcome(admin, asked, 'elsewhere');
  await contacts.setContactMessageOutcome(admin, asked, null);
  await contacts.answerContactMessage(admin, asked, 'Hello!');
  await contacts.getContact(admin, drop);
  await contacts.getContactMerge(admin, keep, drop);
  await contacts.mergeContacts(admin, keep, drop, 'a test');
  const options = { file: 'list.csv', isDry: true };
  await importContacts(admin, [{ row: 2, email: 'new@contract.test' }], options);
}

async function tools() {
  const item = id();
  const { draft } = await adminTools.createTool(admin, item, 'financial-projection.cash-forecast');
  if (!draft) throw new Error('A new tool has a draft.');
  const { id: _id, ...content } = { ...draft, title: 'A tool', summary: 'A sum.', format: 'Table' };
  const file = fileOf('tool-files', people.admin);
  const {
    bucket: _bucket,
    path: _path,
    seconds: _,
    ...named
  } = await toolFiles.createToolFile(admin, item, file, null);
  const media = {
    files: [named],
    captions: 'WEBVTT\n\n00:00.000 --> 00:02.000\nWords',
  };
  await toolbox.saveToolDraft(admin, draft.id, { ...content, body_markdown: 'Words.', ...media });
  const { slug } = await adminTools.publishTool(admin, draft.id, 2, '');
  await adminTools.reviewTool(admin, item, 'Still right.');
  await adminTools.setToolReview(admin, item, 6);
  const next = await adminTools.editTool(admin, item, 1);
  await adminTools.removeToolDraft(admin, next.draft?.id ?? '');
  await adminTools.archiveTool(admin, item, 'a test');
  await adminTools.restoreTool(admin, item);
  await adminTools.getAdminTool(admin, item);
  await adminTools.getToolVersion(admin, item, 1);
  await adminTools.listAdminTools(admin, adminToolFilter.read(new URLSearchParams()));
  expect(await toolbox.isToolAsBuilt(visitor, slug)).toBe(false);
  expect(await toolbox.getPublicTool(visitor, slug)).toMatchObject({ title: 'A tool' });
  expect(await toolFiles.getToolFile(visitor, named.id)).toMatchObject({ type: 'application/pdf' });
  await expect(toolFiles.getToolCaptions(visitor, named.id)).rejects.toMatchObject({
    kind: 'not-found',
  });
  expect(await toolbox.listPublicTools(visitor)).toContainEqual(expect.objectContaining({ slug }));
}

async function eventPlaces() {
  const [row] = await sql`
    insert into public.events (slug, occasion, title, starts_at, minutes, time_zone, place, places)
    values ('contract', '', 'A talk', now() + interval '30 minutes', 60, 'America/Denver', 'Library', 1)
    returning id`;
  const eventId = String(row?.id);
  for (const email of ['first@event.test', 'second@event.test']) {
    await sql`select private.ask_for_place(null, 'contract', '', ${email}, 'Ann', 'A plan')`;
  }
  const [link] = await sql`
    select data ->> 'path' as path from private.mails where to_address = 'first@event.test'`;
  const secret = String(link?.path).replace('/confirm/place/', '');
  expect(await events.getEventPlace(visitor, secret)).toMatchObject({ state: 'held' });
  expect(await events.listEventPlaces(visitor, 'contract')).toMatchObject([{ left: 0, places: 1 }]);
  expect(await events.openEventPlace(owner, id())).toBeNull();
  await events.listEvents(admin, eventFilter.read(new URLSearchParams()));
  expect(await events.getEvent(admin, eventId)).toMatchObject({ held: 1, waiting: 1 });
  const { rows } = await events.listSignups(
    admin,
    eventId,
    signupFilter.read(new URLSearchParams()),
  );
  const [first, second] = rows.map((each) => each.id);
  await events.giveEventPlace(admin, first ?? '');
  await events.markEventAttendance(admin, first ?? '', true);
  await events.markEventAttendance(admin, first ?? '', null);
  await events.cancelEventPlace(admin, second ?? '', 'A test.');
  expect(await events.cancelEvent(admin, eventId, 'A test.')).toMatchObject({ state: 'canceled' });
}

async function newsletterIssues() {
  const issue = id();
  await sql`
    insert into public.contacts (email, newsletter, consent_wording, consented_at)
    values ('reader@contract.test', 'subscribed', 'Yes', now())`;
  await newsletter.createIssue(admin, issue);
  const text = { subject: 'An issue', preview: 'Of bread', body: 'Words.' };
  await newsletter.saveIssue(admin, issue, { revision: 1, ...text });
  await newsletter.testIssue(admin, issue);
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  await newsletter.sendIssue(admin, issue, 2, tomorrow);
  await newsletter.unscheduleIssue(admin, issue);
  await newsletter.sendIssue(admin, issue, 2, null);
  await newsletter.stopIssue(admin, issue, true);
  await sql`
    update public.newsletter_deliveries
    set state = 'refused', last_error = 'Full', finished_at = now() where issue_id = ${issue}`;
  await newsletter.getIssue(admin, issue);
  expect(await newsletter.listRefusals(admin, issue)).toMatchObject([{ reason: 'Full' }]);
  await newsletter.listIssues(admin, issueFilter.read(new URLSearchParams()));
  const spare = id();
  await newsletter.createIssue(admin, spare);
  await newsletter.removeIssue(admin, spare);
  const [sent] = await newsletter.listSentIssues(visitor);
  expect(await newsletter.getSentIssue(visitor, sent?.slug ?? '')).toMatchObject(text);
}

async function quizDrafts() {
  const draft = id();
  expect(await quizVersions.createQuizDraft(admin, draft, world.quiz.id)).toBe(draft);
  const version = await quizVersions.getEditedVersion(admin, draft);
  const [first, second] = version.questions;
  if (!first || !second) throw new Error('The draft has no questions.');
  await quizVersions.saveQuizQuestion(admin, draft, first.key, { ...first, help: 'Help' });
  await quizVersions.saveQuizSettings(admin, draft, { ...version.settings, title: 'Title' });
  const area = first.area_key;
  const keys = version.questions.filter((each) => each.area_key === area).map(({ key }) => key);
  await quizVersions.orderQuizQuestions(admin, draft, area, keys.toReversed());
  await quizVersions.removeQuizQuestion(admin, draft, second.key);
  await quizVersions.addQuizQuestion(admin, draft, area, { practice: 'Speed' });
  await quizVersions.removeQuizQuestion(admin, draft, `${area}.speed`);
  const { version: whole } = await quizVersions.addQuizQuestion(admin, draft, area, {
    key: second.key,
  });
  await quizVersions.discardQuizDraft(admin, draft, true);
  await quizVersions.discardQuizDraft(admin, draft, false);
  await quizVersions.publishQuizDraft(admin, draft, whole.checks?.fingerprint ?? '', 'A test');
  expect(await quizVersions.getQuizStatistics(admin, draft)).toMatchObject({ attempts: 0 });
  expect(await quizVersions.getQuizStatistics(admin, world.quiz.id)).not.toBeNull();
  await quizVersions.listQuizVersions(admin);
}

async function businessesAndMembers() {
  const bakery = ids.alder;
  await businesses.createBusiness(owner, id(), {
    name: 'Dogwood Deli',
    trading: 'trading',
    postalCode: '',
    helpWanted: '',
    industry: '',
    stage: '',
  });
  const fact = { business_id: bakery, field: 'city' as const, value: 'Taos', known: [''] };
  await businesses.saveBusinessFact(owner, fact);
  const figures = { full_time: 3, part_time: null, revenue_minor: 100, profit_minor: null };
  const taken = { taken_on: day(-1), currency: 'USD' };
  await snapshots.createSnapshot(owner, bakery, { id: id(), ...figures, ...taken });
  await snapshots.listSnapshots(owner, bakery);
  const sent = (address: string) =>
    members.inviteMember(owner, { id: id(), businessId: bakery, address });
  const first = await sent('new@home.test');
  await members.resendInvitation(owner, first.id);
  await members.revokeInvitation(owner, first.id);
  const [other = '', coach = ''] = [people.otherOwner.email, people.otherCoach.email];
  const own = await sent(other);
  await businesses.listBusinesses(otherOwner);
  await businesses.getBusiness(owner, bakery);
  const token = await tokenOf('business-invitation');
  await members.getInvitation(otherOwner, token);
  await members.getInvitation(colleague, token);
  await members.getInvitation(colleague, 'none');
  await members.acceptInvitation(otherOwner, token);
  await members.removeMember(owner, bakery, String(people.otherOwner.userId));
  expect(own.address).toBe(other);
  for (const take of ['token', 'own', 'accept'] as const) {
    const { id: invited } = await sent(coach);
    if (take === 'own') await members.declineOwnInvitation(otherCoach, invited);
    else if (take === 'accept') await members.acceptOwnInvitation(otherCoach, invited);
    else await members.declineInvitation(otherCoach, await tokenOf('business-invitation'));
  }
  await members.leaveBusiness(otherCoach, bakery);
  await members.handOverBusiness(owner, bakery, String(people.colleague.userId));
  await members.handOverBusiness(colleague, bakery, String(people.owner.userId));
  await businesses.archiveBusiness(otherOwner, ids.birch, true);
  await businesses.listBusinesses(otherOwner, { archived: true });
  await businesses.archiveBusiness(otherOwner, ids.birch, false);
  await businesses.listBusinesses(admin);
  const change = { business_id: bakery, field: 'offer' as const };
  await plans.savePlanField(owner, { ...change, value: 'Bread', revision: 0, editor: id() });
  await plans.savePlanField(owner, { ...change, value: 'Rye', revision: 1, editor: id() });
  await plans.getPlan(owner, bakery);
  const [, before] = await plans.listPlanVersions(owner, bakery, 'offer');
  await plans.restorePlanVersion(owner, {
    businessId: bakery,
    field: 'offer',
    revision: before?.revision ?? 0,
    editor: id(),
  });
  const forecast = newForecast('2026-11-25');
  for (const [revision, opening] of [910_000, 800_000].entries()) {
    const value = { ...forecast, opening };
    await worksheets.saveWorksheet(owner, `${bakery}/forecast`, { value, revision });
  }
  const typed = { value: { cost: '12.50' }, revision: 0 };
  await worksheets.saveWorksheet(owner, `${bakery}/price`, typed);
  await worksheets.getForecast(owner, bakery);
  await worksheets.getCalculator(owner, bakery, 'price');
  const [newest] = await worksheets.listForecastVersions(owner, bakery);
  await worksheets.restoreForecast(owner, bakery, newest?.revision ?? 0);
  const [kept] = await worksheets.listCalculatorVersions(owner, bakery, 'price');
  await worksheets.restoreCalculator(owner, bakery, 'price', kept?.revision ?? 0);
}

async function taking() {
  const version = await quiz.getPublishedQuiz();
  await quiz.getQuiz(owner);
  await quiz.listPublishedTools();
  await quiz.listPracticeTools(owner);
  await attempts.startAttempt(otherOwner, id(), version.id, ids.birch);
  await attempts.getAttempt(owner, ids.alderOpen);
  await attempts.finishAttempt(owner, ids.alderOpen);
  const { recommendations, scores } = (await attempts.getAttempt(coach, ids.alderResult)) ?? {
    recommendations: [],
    scores: [],
  };
  const taken = new Set(recommendations.map(({ area_key }) => area_key));
  const free = scores.find(({ area_key }) => !taken.has(area_key));
  await attempts.swapRecommendation(owner, ids.alderResult, 1, free?.area_key ?? '');
  const later = await createAttempt(sql, people.owner, {
    quiz: world.quiz,
    business: ids.alder,
    value: 4,
  });
  const compared = v.nullable(skills.comparison);
  await rpc(owner, 'compare_attempts', compared, {
    p_earlier: ids.alderResult,
    p_later: later,
  });
  const [question] = version.questions;
  const given: VisitorAnswers = {
    version_id: version.id,
    kind: 'first_look',
    updated_at: new Date().toISOString(),
    answers: version.questions
      .filter(({ first_look }) => first_look)
      .map(({ key }) => ({
        question_key: key,
        value: 2,
        applies: true,
        answered_at: new Date().toISOString(),
      })),
    confidences: [{ area_key: question?.area_key ?? '', rating: 3 }],
  };
  await quiz.adoptAnswers(colleague, id(), given, null);
  const claim = quiz.newClaim();
  const key = await quiz.storeClaim(visitor, claim, given);
  await sql`
    update auth.users set raw_user_meta_data = raw_user_meta_data || ${sql.json({ quiz_claim: key })}
    where id = ${people.otherCoach.userId}`;
  await quiz.countClaimed(dbs.otherCoach, claim);
  await quiz.takeClaim(dbs.otherCoach, claim, id(), null);
  await quiz.removeClaim(dbs.otherCoach, claim);
  await skills.getResult(otherOwner, ids.birchResult);
  await voidAttempt(admin, ids.birchResult, 'a test');
  await listAllAttempts(admin, attemptFilter.read(new URLSearchParams()));
}

async function improving() {
  const { alder, alderResult } = ids;
  const action = { body: 'Ask three customers', dueOn: day(30), remind: true, questionKey: null };
  const area = { id: id(), attemptId: alderResult, areaKey: 'sales-marketing' };
  const first = id();
  await skills.createFocusArea(owner, area, { ...action, id: first });
  await skills.saveFocusAction(owner, first, { ...action, body: 'Ask four' });
  await skills.settleFocusAction(owner, first, 'done');
  await skills.createFocusAction(owner, area.id, { ...action, id: id() });
  await skills.getSkills(owner, alder);
  await skills.getSkills(owner, null);
  await getHome(owner, alder);
  await getHome(coach, null);
  await skills.getResult(owner, alderResult);
  await skills.listAttempts(owner, alder, alderResult);
  await skills.endFocusArea(owner, area.id);
}

/** Sessions from the first offer to the owner's rating, and everything agreed on in them. */
async function coachingSessions() {
  const { alderEngagement: engagementId, alderResult } = ids;
  await world.ask(people.coach, 'accept_client($1)', [engagementId]);
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const plan = { minutes: 60, kind: 'online' as const, place: 'A link' };
  const zone = { engagementId, timeZone: 'America/Denver' };
  const offer = async (...times: string[]) => {
    const offered = id();
    await sessions.createSessionOffer(coach, { id: offered, ...zone, ...plan, times });
    return offered;
  };
  const [first = '', second = ''] = [at(2), at(3)];
  const picked = { offerId: await offer(first, second), sessionId: id(), time: first };
  await sessions.pickTime(owner, picked);
  await sessions.removeSessionOffer(coach, await offer(at(4), at(5)));
  await sessions.declineTimes(owner, await offer(at(4), at(5)), 'Mornings only');
  const moved = id();
  await sessions.createSession(coach, { id: moved, ...zone, ...plan, startsAt: at(6) });
  await sessions.moveSession(coach, moved, { ...plan, startsAt: at(7) });
  await sessions.cancelSession(owner, moved, 'The oven broke');
  const action = { body: 'Call', doer: 'owner' as const, due_on: day(7), area_key: null };
  const amounts = { full_time: 2, part_time: null, revenue_minor: 100, profit_minor: null };
  const closed = id();
  await sessions.closeSession(coach, closed, engagementId, {
    starts_at: at(-1),
    time_zone: 'America/Denver',
    minutes: 45,
    kind: 'phone',
    outcome: 'completed',
    topics: ['sales-marketing'],
    summary: 'We went through the leads.',
    note: 'A private thought.',
    actions: [{ id: id(), ...action, tool_slug: 'one-page-plan', focus_area_id: null }],
    figures: { id: id(), ...amounts, currency: 'USD' },
    next: { id: id(), starts_at: at(9), ...plan },
  });
  await grants.waiveSession(coach, closed, 'Not a good fit');
  await sessions.saveSessionNote(coach, closed, 'Another thought.');
  await sessions.saveSummary(coach, closed, 'We went through all leads.');
  await sessions.rateSession(owner, closed, 4, 'Helpful');
  for (const db of [owner, coach, otherCoach]) await sessions.getSession(db, closed);
  await sessions.readSessionNote(admin, closed, 'a test');
  await agreements(engagementId, alderResult);
  await offer(at(11), at(12));
  const filter = (text: string) => clientFilter.read(new URLSearchParams(text));
  await clients.listClients(coach, filter('view=table&sort=name'));
  await clients.listClients(coach, filter('view=board'));
  await clients.getClientCounts(coach);
  for (const db of [coach, owner]) await getCoachToday(db);
  for (const db of [coach, owner]) await getClient(db, engagementId);
  await getOwnCoaching(owner);
  await calendar.createCalendarFeed(owner);
  await getOwnCoaching(owner);
  await calendar.removeCalendarFeed(owner);
}

async function agreements(engagementId: string, attemptId: string) {
  const focus = { id: id(), attemptId, areaKey: 'sales-marketing' };
  const first = { body: 'Ask', dueOn: day(30), remind: true, questionKey: null, id: id() };
  await skills.createFocusArea(owner, focus, first);
  const added = { id: id(), engagementId, body: 'Send a list', dueOn: null };
  await actions.createCoachingAction(coach, { ...added, doer: 'coach', focusAreaId: focus.id });
  await actions.settleCoachingAction(coach, added.id, 'done');
  const made = { engagementId, areaKey: 'sales-marketing', note: 'For Friday' };
  const [tool, project] = [id(), id()];
  const slug = { toolSlug: 'one-page-plan', title: null };
  await actions.createCoachRecommendation(coach, { id: tool, ...made, ...slug, kind: 'tool' });
  const titled = { toolSlug: null, title: 'A price list' };
  await actions.createCoachRecommendation(coach, {
    id: project,
    ...made,
    ...titled,
    kind: 'project',
  });
  const started = id();
  await world.ask(people.owner, "create_project($1, $2, 'A price list')", [started, ids.alder]);
  await actions.settleRecommendation(owner, project, 'taken', started);
  await skills.endFocusArea(owner, focus.id);
}

/** Their pages and steps, for engagements with everything that can belong to them. */
async function coachingByAdmins() {
  const { alderEngagement } = ids;
  const all = engagementFilter.read(new URLSearchParams('state=all'));
  await adminCoaching.listEngagements(admin, all);
  await adminCoaching.getCoachingBoard(admin);
  const { coach: first, otherCoach: next } = people;
  const assigned = { engagementId: alderEngagement, reason: 'a test' };
  await adminEngagement.assignCoach(admin, { ...assigned, coachId: String(next.userId) });
  await adminEngagement.unassignCoach(admin, alderEngagement, 'a test');
  await adminEngagement.assignCoach(admin, { ...assigned, coachId: String(first.userId) });
  await sql`update public.engagements set state = 'accepted' where id = ${alderEngagement}`;
  await sql`update public.engagements set state = 'active' where id = ${alderEngagement}`;
  await adminEngagement.assignCoach(admin, {
    ...assigned,
    coachId: String(next.userId),
    handover: 'They like to start with the numbers.',
    message: 'Hello!',
  });
  await adminEngagement.getEngagement(admin, alderEngagement);
  await adminEngagement.closeEngagement(admin, alderEngagement, 'a test', 'Well done.');
  const asked = id();
  await world.ask(people.otherOwner, 'request_coaching($1, $2)', [asked, ids.birch]);
  await adminEngagement.referElsewhere(admin, asked, 'a test', 'The library has a course.');
  await adminEngagement.getEngagement(admin, asked);
}

/** An owner's steps, from asking by name to picking it up again. */
async function coachingByOwners() {
  const { alderEngagement, birchEngagement, birch } = ids;
  await getOwnCoaching(owner);
  await getOwnCoaching(coach);
  await coaching.setResultsShared(owner, alderEngagement, true);
  await coaching.withdrawCoaching(otherOwner, birchEngagement);
  await coaching.listCoaches(otherOwner, { businessId: birch, areas: ['sales-marketing'] });
  const [first, asked] = [id(), id()];
  const request = { businessId: birch, note: '', areas: [], share: false };
  const chosen = String(people.coach.userId);
  await coaching.requestCoaching(otherOwner, { ...request, id: first, coachId: chosen });
  await coaching.withdrawCoaching(otherOwner, first);
  await coaching.requestCoaching(otherOwner, { ...request, id: asked, coachId: null });
  const move = (state: string) =>
    sql`update public.engagements set state = ${state} where id = ${asked}`;
  await coaching.listCoaches(otherOwner, { engagementId: asked });
  await coaching.chooseCoach(otherOwner, asked, chosen);
  await coaching.askForOtherCoach(otherOwner, asked, 'Too far away.');
  await coaching.keepCoach(otherOwner, asked);
  await move('accepted');
  await move('unreachable');
  await coaching.resumeContact(otherOwner, asked);
  await move('active');
  await coaching.pauseCoaching(otherOwner, asked, day(20), 'Harvest.');
  await coaching.resumeCoaching(otherOwner, asked);
  await move('completed');
  await coaching.reopenCoaching(otherOwner, asked);
  await getOwnCoaching(otherOwner);
  await coaching.withdrawCoaching(otherOwner, asked);
}

/** A coach's steps, from a no to a closing summary, and what they say about themselves. */
async function coachingByCoaches() {
  const asked = { businessId: ids.birch, note: '', areas: [], share: false };
  const request = { ...asked, coachId: String(people.otherCoach.userId) };
  const [declined, accepted] = [id(), id()];
  await coaching.requestCoaching(otherOwner, { id: declined, ...request });
  await coachSteps.declineClient(otherCoach, declined, 'No time.');
  await coaching.withdrawCoaching(otherOwner, declined);
  await coaching.requestCoaching(otherOwner, { id: accepted, ...request });
  await coachSteps.acceptClient(otherCoach, accepted);
  await sql`
    update public.engagements set accepted_at = now() - interval '20 days', assigned_at = now() - interval '21 days' where id = ${accepted}`;
  const tried = { engagementId: accepted, channel: 'phone' as const, reached: false, note: '' };
  for (const days of [15, 8, 3]) {
    const at = new Date(Date.now() - days * 86_400_000).toISOString();
    await coachSteps.logContact(otherCoach, { id: id(), ...tried, at });
  }
  await coachSteps.markUnreachable(otherCoach, accepted);
  await coaching.resumeContact(otherOwner, accepted);
  await coachSteps.logContact(otherCoach, { id: id(), ...tried, reached: true });
  await sql`update public.engagements set state = 'active' where id = ${accepted}`;
  await coachSteps.completeCoaching(otherCoach, accepted, 'They know their margins now.');

  const off = { id: id(), starts_on: day(30), ends_on: day(37), note: 'A trip' };
  await coachSettings.createTimeOff(otherCoach, off);
  await coachSettings.getCoachSettings(otherCoach);
  await coachSettings.removeTimeOff(otherCoach, off.id);
  await coachSettings.leaveClients(otherCoach, []);
  const said = { about: 'Ran a shop.', areas: ['sales-marketing'], industries: ['Retail'] };
  const room = { capacity: null, accepting: true, paused_until: null };
  await coachSettings.saveCoachSettings(otherCoach, { ...said, ...room });
  await coachSettings.getCoachSettings(otherCoach);
}

async function survey() {
  const { alderEngagement } = ids;
  const invited = { p_engagement_id: alderEngagement };
  await rpc(admin, 'invite_to_survey', v.object({ id: v.string() }), invited);
  const shown = await surveys.getSurvey(null);
  const agreement = shown.statements.map(() => 4);
  const response = { agreement, recommend: 9, comments: shown.comments.map(() => null) };
  const [mail] = await sql`
    select data ->> 'path' as path from private.mails where template = 'survey-invitation'`;
  const secret = String(mail?.path).replace('/engagement-survey#invitation=', '');
  await surveys.getSurveyByLink(visitor, secret);
  await surveys.submitSurveyResponse(id(), shown.id, response, secret);
  const everything = surveyResultsFilter.read(new URLSearchParams());
  await surveyResults.getSurveyResults(admin, everything);
  const next = id();
  const promised = { privacy: 'confidential', publicLink: false, groupedBy: 'coach' } as const;
  await surveyResults.createSurvey(admin, next, { ...promised, reason: 'a test' });
  await surveyResults.closeSurvey(admin, next, 'a test');
  await surveyResults.getSurveyResults(admin, { ...everything, survey: shown.id });
}

async function working() {
  const { alder, alderEngagement } = ids;
  const project = id();
  const input = {
    title: 'Answer every lead',
    areaKey: 'sales-marketing',
    outcome: 'Yes',
    baseline: '',
    startOn: day(0),
    dueOn: day(20),
    engagementId: alderEngagement,
  };
  await projects.getProjectStart(owner, alder, { area: 'sales-marketing', question: null });
  await projects.createProject(owner, project, alder, input);
  await projects.saveProject(owner, project, 1, { ...input, title: 'Answer leads' });
  await projects.saveProject(owner, project, 1, input);
  await projects.createProjectUpdate(owner, { id: id(), projectId: project, body: 'Called Ann' });
  await setDueDates(admin, [{ id: project, due_on: '2030-01-31' }]);
  const { tasks: none } = (await projects.getProject(owner, project)) ?? {};
  expect(none).toEqual([]);
  const [one, two] = [id(), id()];
  await tasks.createProjectTask(owner, project, { id: one, title: 'Call Ann', dueOn: day(3) });
  await tasks.createProjectTask(owner, project, { id: two, title: 'Call Ben', dueOn: '' });
  const saved = { id: one, revision: 1, title: 'Call Anna', dueOn: '' };
  await tasks.saveProjectTask(owner, saved);
  await tasks.saveProjectTask(owner, saved);
  await tasks.setTaskState(owner, one, 'blocked', 'No number');
  await tasks.moveTask(owner, one, two);
  await tasks.listProjectTasks(owner, project, two);
  await tasks.removeProjectTask(owner, two, true);
  const move = await projects.moveProject(owner, project, 'planned', '');
  expect(move).toMatchObject({ status: 'planned', refused: null });
  await projects.moveProject(owner, project, 'in_progress', '');
  const file = await projectFiles.createProjectFile(owner, project, fileOf('project-files'));
  await projects.getProject(coach, project);
  const view = await projects.getProject(owner, project);
  const [newest] = view?.history ?? [];
  await projects.listProjectHistory(owner, project, newest ?? { at: '', id: '' });
  await listProjects(owner, filterOf('sort=due'), alder);
  await listProjects(owner, filterOf('view=board'), null);
  await projectFiles.removeProjectFile(owner, file);
}

const filterOf = (text: string) => projectFilter.read(new URLSearchParams(text));

/** A file to upload, which is stored as the owner's, or someone else's. */
function fileOf(bucket: string, who: Person = people.owner) {
  const file = new File([new Uint8Array(2_000)], 'offer.pdf', { type: 'application/pdf' });
  state.store = async (path) => {
    await storeObject(world, who, { bucket, path });
  };
  return {
    id: id(),
    file,
    type: 'application/pdf',
    onProgress: () => {},
    signal: new AbortController().signal,
  };
}

async function talking() {
  const about = { kind: 'direct' as const, subjectId: people.colleague.userId };
  const direct = await conversations.createConversation(owner, id(), about);
  const engaged = { kind: 'engagement' as const, subjectId: ids.alderEngagement };
  await conversations.createConversation(owner, id(), engaged);
  const file = await messageFiles.createMessageFile(owner, direct, fileOf('message-files'), null);
  const own = { conversationId: direct, replyTo: null };
  const first = { ...own, id: id(), body: 'See the offer', files: [file.id] };
  await messages.createMessage(owner, first);
  const reply = { ...own, id: id(), body: 'I see', replyTo: first.id, files: [] };
  await messages.createMessage(colleague, reply);
  await messages.saveMessage(colleague, reply.id, 'I see it');
  const third = await messages.createMessage(owner, { ...first, id: id(), files: [] });
  await messages.removeMessage(owner, third.id);
  await messages.saveMessageDraft(colleague, { ...own, body: 'And then', replyTo: first.id });
  await conversations.getConversation(colleague, direct);
  await conversations.listConversations(colleague);
  await conversations.listConversations(admin, '', null, 'support');
  await messages.listMessages(colleague, direct, { after: 0 });
  await messages.listMessageChanges(colleague, direct, 0);
  await messages.readMessages(colleague, direct, 2);
  await messages.searchMessages(colleague, 'offer');
  await conversations.setConversationMuted(owner, direct, true);
  await correspondents.listCorrespondents(owner);
  await correspondents.setPersonBlocked(colleague, String(people.owner.userId), true);
  await correspondents.listBlocked(colleague);
  const report = { id: id(), messageId: first.id, reason: 'spam' as const, note: 'An ad' };
  await messages.createMessageReport(colleague, report);
  await reports.listMessageReports(admin, 'open');
  await reports.getReportedConversation(admin, report.id);
  await reports.settleMessageReport(admin, report.id, 'dismissed', 'No ad');
  await correspondents.setPersonBlocked(colleague, String(people.owner.userId), false);
  const unsent = await messageFiles.createMessageFile(owner, direct, fileOf('message-files'), null);
  await messageFiles.removeMessageFile(owner, unsent);
  const told = await sql`
    select payload from realtime.messages
    where topic like 'person:%' and event = 'conversation' order by inserted_at`;
  expect(told.length).toBeGreaterThan(3);
  for (const { payload } of told) {
    const { id: _, ...rest } = payload;
    expect(conversations.newsOf(payload)).toMatchObject(rest);
  }
}

async function buying() {
  await grants.giveSessions(admin, id(), ids.alder, { sessions: 2, months: 12, reason: 'A grant' });
  const { plans } = await listPrices(visitor);
  expect(plans.length).toBeGreaterThan(2);
  const said: orders.NewOrder = {
    business_id: ids.alder,
    plan: 'session-pack',
    every: 'once',
    quantity: 1,
    method: 'purchase_order',
    expected_minor: 28_500,
    name: 'Olive Owner',
    organization: '',
    email: null,
    address: '1 Main Street',
    region: 'US-NM',
    tax_exempt: false,
    note: '',
  };
  const [first, second] = [id(), id()];
  await orders.createOrder(owner, first, said);
  await orders.createOrder(owner, second, said);
  const quote = { quantity: 2, unitMinor: 20_000, setupMinor: 100, taxExempt: false };
  await desk.quoteOrder(admin, second, { ...quote, reason: 'As agreed' });
  const purchaseOrder = fileOf('order-files');
  await orders.createOrderFile(owner, first, purchaseOrder);
  const total = (await orders.getOrder(owner, first)).total_minor;
  await orders.sendPurchaseOrder(
    owner,
    { id: first, total_minor: total },
    'PO-1',
    purchaseOrder.id,
  );
  const [sent] = (await orders.getOrder(owner, first)).files;
  if (!sent) throw new Error('The file wasn’t sent.');
  await desk.openOrderFile(admin, sent);
  await desk.recordPurchaseOrder(admin, second, 'PO-2', 'By mail');
  await desk.voidOrder(admin, second, 'Twice');
  const { total_minor } = await desk.invoiceOrder(admin, first, 'Confirmed');
  const paid = {
    method: 'check' as const,
    amountMinor: total_minor,
    openMinor: total_minor,
    receivedOn: day(-1),
  };
  await desk.recordPayment(admin, id(), first, { ...paid, reason: 'Check 12' });
  expect((await orders.getOrder(owner, first)).payments).toHaveLength(1);
  await desk.getAnyOrder(admin, first);
  await desk.listAllOrders(admin, orderFilter.read(new URLSearchParams()));
  const third = id();
  await orders.createOrder(owner, third, said);
  await world.sql`update public.orders set state = 'expired' where id = ${third}`;
  await orders.requestQuote(owner, third);
  await orders.cancelOrder(owner, third);
  expect((await orders.listOrders(owner, { place: null })).rows.length).toBeGreaterThan(2);
}

async function refunding() {
  const order = id();
  const said = { plan: 'membership', every: 'month', quantity: 1, method: 'card' } as const;
  const buyer = { name: 'Olive Owner', organization: '', email: null, address: '1 Main Street' };
  const rest = { region: 'US-CO', tax_exempt: false, note: '', expected_minor: 7_900 };
  await orders.createOrder(owner, order, { business_id: ids.alder, ...said, ...buyer, ...rest });
  await sql`update public.orders set state = 'pending' where id = ${order}`;
  await sql`
    select private.report_payment(
      ${order}, 'pi_1', 'card', 7900, 'USD', now(), now(), now() + interval '1 month')`;
  await sql`
    select private.report_membership(
      ${order}, 'sub_1', 'active', now() + interval '1 month', false, now())`;
  expect(await listMemberships(owner)).toHaveLength(1);
  const [payment] = await refunds.listRefundable(admin, order);
  const part = { paymentId: payment?.payment_id ?? '', amountMinor: 100, reason: 'Goodwill' };
  expect((await refunds.refundPayment(admin, id(), order, part)).refunds).toHaveLength(1);
  await refunds.endMembership(admin, order, 'period', 'They asked by phone');
  const [row] = await listPriceRows(admin);
  if (row) await setPrice(admin, row, row.amount_minor + 100, 'Costs went up');
}

async function sponsoring() {
  const { sponsor } = dbs;
  const [codeId, program] = [id(), ids.program];
  const most = { most: 3, expiresOn: day(30) };
  const { codes } = await programs.createSeatCode(sponsor, codeId, program, most);
  const key = { code: codes[0]?.code ?? '' };
  await programs.getSeatOffer(visitor, key);
  await programs.getSeatOffer(owner, key);
  const said = { businessId: ids.alder, consentVersion: 1, sharesFigures: true, postalCode: '' };
  const taken = await programs.takeSeat(owner, key, said);
  expect(taken.outcome).toBe('taken');
  await programs.inviteToProgram(sponsor, program, ['ann@example.test'], 'Hello');
  // As a sponsor sees figures, and as they're kept.
  await sql`
    insert into private.program_readings (program_id, figure, version, made_on, entries)
    select ${program}, f.figure, 1, current_date, jsonb_build_object('1', f.entries)
    from (
      select figure, jsonb_object_agg('business ' || n, value) as entries
      from generate_series(1, 5) n
      cross join (values
        ('joined', '1'), ('asked', '1'), ('started', '1'), ('finished', '0'), ('sessions', '2'),
        ('overall', '40 60'), ('skill:web-design', '40 60'), ('jobs', '1'), ('sales', '500000')
      ) v (figure, value)
      group by figure
    ) f`;
  await sql`
    insert into private.program_groups (program_id, figure, label, position)
    select ${program}, figure, '871', 1 from unnest(array['joined', 'sessions', 'overall']) as figure`;
  await sql`
    insert into public.program_reports (program_id, period, figures)
    values (${program}, '2026-07-01', private.program_figures(${program}))`;
  const seen = await programs.getProgram(sponsor, program);
  expect(seen.figures?.skills[0]?.name).toBe('Web design');
  await programs.listOwnPrograms(sponsor);
  await programs.revokeSeatCode(sponsor, codeId);
  await sql`update public.seats set state = 'assigned' where program_id = ${program} and state = 'unassigned'`;
  await programs.waitForSeat(otherOwner, key.code);
  const second = await programs.createSeatCode(admin, id(), program, { most: 1, expiresOn: '' });
  await programs.waitForSeat(otherOwner, second.codes[0]?.code ?? '');
  const any = await adminPrograms.getAnyProgram(admin, program);
  expect(any.waiting_list).toHaveLength(1);
  await adminPrograms.listAllPrograms(admin, programFilter.read(new URLSearchParams()));
  await adminPrograms.setSponsor(admin, program, 'ben@example.test', true);
  const seats = await adminPrograms.listSeats(admin, program, { state: 'assigned', place: null });
  const [reserved] = seats.rows;
  await adminPrograms.passOnSeat(admin, reserved?.id ?? '', 'A typo');
  await adminPrograms.saveProgram(admin, program, {
    name: any.name,
    sponsor: any.sponsor,
    starts_on: any.starts_on,
    ends_on: any.ends_on,
    closed: false,
    groups_by: any.groups_by,
    postal_prefixes: ['871'],
    email_domains: ['example.test'],
    consent: any.consent,
  });
  const given = { name: 'A', sponsor: 'B', seats: 5, sessions: 4, reason: 'A pilot' };
  await adminPrograms.giveProgram(admin, id(), { ...given, startsOn: day(0), endsOn: day(90) });
  await programs.listOwnSeats(owner);
  await programs.stopCounting(owner, taken.seat_id ?? '');
  await programs.leaveProgram(owner, taken.seat_id ?? '');
}

async function filling() {
  const { alder } = ids;
  const none = { query: '', area: null, type: null, level: null, mark: null, page: 1 };
  await toolbox.markTool(owner, 'one-page-plan', 'saved', true);
  const copy = { id: id(), slug: 'one-page-plan', businessId: alder };
  await toolbox.copyTool(owner, copy);
  await toolbox.getToolCopy(owner, copy.id);
  await toolbox.saveToolCopy(owner, copy.id, { revision: 1, title: 'Plan', body: 'Words' });
  await toolbox.saveToolCopy(owner, copy.id, { revision: 1, title: 'Other', body: 'Others' });
  await toolbox.getToolCopy(coach, copy.id);
  await toolbox.getTool(owner, 'one-page-plan', alder);
  await toolbox.listToolbox(owner, none, alder);
  await toolbox.removeToolCopy(owner, copy.id, true);
  await getHome(owner, alder);
}

/** Called by functions, which have their own tests. */
const BY_FUNCTIONS = new Set(['get_billing_customer', 'get_checkout', 'start_checkout']);

test('Every procedure answers what its caller expects, no key more and none fewer', async () => {
  const problems: string[] = [];
  for (const part of [
    accounts,
    businessesAndMembers,
    taking,
    improving,
    coachingSessions,
    coachingByOwners,
    coachingByCoaches,
    survey,
    coachingByAdmins,
    working,
    talking,
    sponsoring,
    buying,
    refunding,
    filling,
    // Last, because it publishes another version of the quiz.
    quizDrafts,
  ]) {
    await part().catch((error: Error) => {
      const { message } = error.cause instanceof Error ? error.cause : error;
      problems.push(`${part.name}: ${message} ${error.stack}`);
    });
  }
  expect(problems).toEqual([]);
  const procedures = await sql`
    select p.proname as name from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prorettype <> 'trigger'::regtype
      and (has_function_privilege('anon', p.oid, 'execute')
        or has_function_privilege('authenticated', p.oid, 'execute'))
    order by 1`;
  const untried = procedures
    .map(({ name }) => name)
    .filter((name) => !state.called.has(name) && !BY_FUNCTIONS.has(name));
  expect(untried, 'Call these above, by their function in data/.').toEqual([]);
});

test.each([
  ['renamed', "'email'", "'mail'"],
  ['added', "'email', ", "'extra', 1, 'email', "],
])('A key of an answer that is %s in SQL is noticed', async (_what, key, changed) => {
  const [row] = await sql`select pg_get_functiondef('public.get_account'::regproc) as definition`;
  const definition = String(row?.definition);
  expect(definition).toContain(key);
  await sql.unsafe(definition.replace(key, changed));
  await expect(account.getAccount(dbOf(world, people.owner))).rejects.toThrow();
  await sql.unsafe(definition);
  await account.getAccount(dbOf(world, people.owner));
});

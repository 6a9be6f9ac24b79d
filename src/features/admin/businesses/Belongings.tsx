import type { ReactNode } from 'react';
import * as v from 'valibot';
import type { AnyBusiness } from '#data/admin-businesses.ts';
import { forecastDocument } from '#data/business-worksheets.ts';
import { ENGAGEMENT_LABELS } from '#domain/admin-businesses.ts';
import { figuresOf, monthText } from '#domain/forecast.ts';
import { PLAN_FIELDS, PLAN_LABELS } from '#domain/plan.ts';
import { dueState, isOpenStatus, STATUS_LABELS } from '#domain/project.ts';
import { TOOL_CALCULATORS } from '#domain/tool.ts';
import { calendarDayText, dayText, nearDayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { calculators as CALCULATORS } from '#ui/calculators/definitions.ts';
import { NumbersTable } from '#ui/charts/NumbersTable.tsx';
import { Section } from '#ui/Section.tsx';
import { LatestOrders } from '../orders/LatestOrders.tsx';

interface BelongingsProps {
  business: AnyBusiness;
  timeZone: string;
  today: string;
}

const renderFact = (label: string, value: ReactNode) => (
  <div key={label} className="min-w-0">
    <dt className="text-xs text-muted">{label}</dt>
    <dd className="text-sm wrap-anywhere">{value}</dd>
  </div>
);

/** What belongs to a business: people, work, quizzes and coaching. */
export function Belongings(props: BelongingsProps) {
  return (
    <>
      <About {...props} />
      <Members {...props} />
      <Progress {...props} />
      <Worksheets {...props} />
      <Projects {...props} />
      <Coaching {...props} />
      <Orders {...props} />
      <Reports {...props} />
    </>
  );
}

/** One line for everything that the business doesn't have yet: "No projects or orders yet." */
export function Nothing({ business }: Pick<BelongingsProps, 'business'>) {
  const { projects, project_count, coaching, orders, snapshots } = business;
  const missing = [
    projects.length + project_count === 0 && 'projects',
    coaching.length === 0 && 'coaching',
    orders.length === 0 && 'orders',
    snapshots.length === 0 && 'figures over time',
  ].filter((name) => name !== false);
  if (missing.length === 0) return null;
  return <p className="text-sm text-muted">No {OR.format(missing)} yet.</p>;
}

const OR = new Intl.ListFormat('en-US', { type: 'disjunction' });

function About({ business: { facts } }: BelongingsProps) {
  const address = [
    facts.address_line1,
    facts.address_line2,
    facts.city,
    [facts.region, facts.postal_code].filter(Boolean).join(' '),
    facts.country,
  ];
  const lines: [string, string | undefined][] = [
    ['Open for business', { trading: 'Yes', 'not-yet': 'Not yet', '': '' }[facts.trading]],
    ['Since', facts.start_date && calendarDayText(facts.start_date)],
    ['Stage', facts.stage],
    ['Legal name', facts.legal_name],
    ['Business structure', facts.entity_type],
    ['Home-based', { yes: 'Yes', no: 'No', '': '' }[facts.home_based]],
    ['Address', address.filter(Boolean).join(', ')],
    ['Phone', facts.phone],
    ['Website', facts.website],
    ['What would help most', facts.help_wanted],
    ['Description', facts.description],
  ];
  const known = lines.filter(([, value]) => value);
  return (
    <Section id="about" title="About">
      {known.length === 0 ? (
        <p className="mt-2 text-sm text-muted">Just a name so far.</p>
      ) : (
        <dl className="mt-3 grid card gap-x-6 gap-y-4 p-5 sm:grid-cols-2 lg:grid-cols-3">
          {known.map(([label, value]) => renderFact(label, value))}
        </dl>
      )}
    </Section>
  );
}

const ROLES = { owner: 'Owner', member: 'Member' } as const;

function Members({ business: { members, invitations }, timeZone }: BelongingsProps) {
  return (
    <Section id="members" title="Members">
      {members.length === 0 ? (
        <p className="mt-2 text-sm text-muted">Nobody belongs to it anymore.</p>
      ) : (
        <ul className="mt-3 flex flex-col divide-y divide-line card text-sm">
          {members.map(({ id, name, email, role, joined_at }) => (
            <li key={id} className="flex flex-wrap gap-x-4 gap-y-1 px-5 py-3">
              <span className="min-w-0 grow basis-60 wrap-anywhere">
                <a className="link" href={hrefFor('/admin/people/[id]', { id })}>
                  {name || email || 'Unnamed'}
                </a>{' '}
                <span className="text-muted">{name && email}</span>
              </span>
              <span className="text-muted">
                {ROLES[role]} since {dayText(joined_at, timeZone)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {invitations > 0 && (
        <p className="mt-2 text-sm text-muted">
          {invitations} open {invitations === 1 ? 'invitation' : 'invitations'}
        </p>
      )}
    </Section>
  );
}

function Progress({ business, timeZone }: BelongingsProps) {
  const { attempts, actions, plan, tool_copies } = business;
  const day = (at: string) => dayText(at, timeZone);
  return (
    <Section id="progress" title="Quizzes and plan">
      <dl className="mt-3 grid card gap-x-6 gap-y-4 p-5 sm:grid-cols-2">
        {renderFact(
          'Quizzes',
          <>
            {attempts.finished} finished by {attempts.people}{' '}
            {attempts.people === 1 ? 'person' : 'people'}, {attempts.open} open
            {attempts.latest_at && `, latest on ${day(attempts.latest_at)}`}
            {attempts.finished > 1 && attempts.first_at && `, first on ${day(attempts.first_at)}`}
          </>,
        )}
        {renderFact(
          'Actions from results',
          `${actions.open} open, ${actions.done} done, ${actions.dropped} dropped`,
        )}
        {renderFact(
          'One-page plan',
          <>
            {plan.filled} of {plan.of} fields filled in
            {plan.saved_at && `, saved on ${day(plan.saved_at)}`}
          </>,
        )}
        {renderFact('Copies of tools', tool_copies)}
      </dl>
      {plan.filled > 0 && (
        <details className="mt-3 text-sm">
          <summary className="link inline-block py-1 pointer-coarse:py-3">Read the plan</summary>
          <dl className="mt-1 grid card gap-x-6 gap-y-4 p-5 sm:grid-cols-2">
            {PLAN_FIELDS.map(
              (field) =>
                plan.texts[field] &&
                renderFact(
                  PLAN_LABELS[field].title,
                  <span className="whitespace-pre-line">{plan.texts[field]}</span>,
                ),
            )}
          </dl>
        </details>
      )}
    </Section>
  );
}

/** The balances of the forecast, and what was typed into the calculators. */
function Worksheets({ business: { worksheets }, timeZone }: BelongingsProps) {
  const { forecast } = worksheets;
  const read = v.safeParse(forecastDocument, forecast?.document);
  const figures = read.success ? figuresOf(read.output) : null;
  const calculators = TOOL_CALCULATORS.flatMap((kind) => {
    const sheet = worksheets[kind];
    return sheet ? { kind, sheet } : [];
  });
  if (!forecast && calculators.length === 0) return null;
  const inDollars = (cents: readonly number[]) => cents.map((each) => each / 100);
  return (
    <Section id="worksheets" title="Forecast and calculators">
      {forecast && figures && (
        <details className="mt-3 text-sm">
          <summary className="link inline-block py-1 pointer-coarse:py-3">
            Read the cash forecast, saved on {dayText(forecast.saved_at, timeZone)}
          </summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways needs to be reachable by keyboard */}
          <section className="mt-1 overflow-x-auto" aria-label="Cash forecast" tabIndex={0}>
            <NumbersTable
              caption="Cash forecast"
              unit="$"
              labels={figures.months.map(monthText)}
              series={[
                { name: 'In', values: inDollars(figures.in) },
                { name: 'Out', values: inDollars(figures.out) },
                { name: 'Balance at the end', values: inDollars(figures.closes) },
              ]}
            />
          </section>
        </details>
      )}
      {calculators.length > 0 && (
        <dl className="mt-3 grid card gap-x-6 gap-y-4 p-5 sm:grid-cols-2">
          {calculators.map(({ kind, sheet }) => {
            const { title, fields } = CALCULATORS[kind];
            const typed = fields.map(
              ({ name, label }) => `${label}: ${sheet.document[name] || '–'}`,
            );
            return renderFact(
              `${title}, saved on ${dayText(sheet.saved_at, timeZone)}`,
              typed.join('; '),
            );
          })}
        </dl>
      )}
    </Section>
  );
}

function Projects({ business, today }: BelongingsProps) {
  const { id, projects, project_count } = business;
  if (projects.length === 0 && project_count === 0) return null;
  return (
    <Section id="projects" title="Projects">
      {projects.length > 0 && (
        <ul className="mt-3 flex flex-col divide-y divide-line card text-sm">
          {projects.map((project) => {
            const { status, due_on, task_count, done_count } = project;
            const isLate =
              due_on !== null && dueState(due_on, today, isOpenStatus(status)) === 'late';
            return (
              <li key={project.id} className="flex flex-wrap gap-x-4 gap-y-1 px-5 py-3">
                <a
                  className="link min-w-0 grow basis-60 wrap-anywhere"
                  href={hrefFor('/dashboard/projects/[id]', { id: project.id })}
                >
                  {project.title}
                </a>
                <span className="text-muted">
                  {STATUS_LABELS[status]}
                  {task_count > 0 && ` · ${done_count} of ${task_count} tasks`}
                  {due_on && (
                    <span className={isLate ? 'font-medium text-danger' : undefined}>
                      {isLate ? ' · Was due ' : ' · Due '}
                      {nearDayText(due_on, today)}
                    </span>
                  )}
                </span>
              </li>
            );
          })}
        </ul>
      )}
      {project_count > 0 && (
        <p className="mt-2 text-sm">
          <a className="link" href={`${hrefFor('/admin/projects')}?status=all&business=${id}`}>
            {project_count === 1 ? 'See it in the list' : `See all ${project_count} in the list`}
          </a>
        </p>
      )}
    </Section>
  );
}

function Coaching({ business: { coaching }, timeZone }: BelongingsProps) {
  if (coaching.length === 0) return null;
  return (
    <Section id="coaching" title="Coaching">
      <ul className="mt-3 flex flex-col divide-y divide-line card text-sm">
        {coaching.map(({ id, state, owner, coach, requested_at, closed_at }) => (
          <li key={id} className="flex flex-wrap gap-x-4 gap-y-1 px-5 py-3">
            <span className="min-w-0 grow basis-60 wrap-anywhere">
              <a className="link" href={hrefFor('/admin/coaching/[id]', { id })}>
                {owner ?? 'A deleted account'} with {coach ?? 'no coach yet'}
              </a>
            </span>
            <span className="text-muted">
              {ENGAGEMENT_LABELS[state]}, asked on {dayText(requested_at, timeZone)}
              {closed_at && `, ended on ${dayText(closed_at, timeZone)}`}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Orders({ business: { orders }, timeZone }: BelongingsProps) {
  if (orders.length === 0) return null;
  return (
    <Section id="orders" title="Orders">
      <div className="mt-3">
        <LatestOrders orders={orders} timeZone={timeZone} name="buyer" />
      </div>
    </Section>
  );
}

function Reports({ business: { reports }, timeZone }: BelongingsProps) {
  if (reports.length === 0) return null;
  const messages = hrefFor('/admin/messages');
  return (
    <Section id="reports" title="Reported messages">
      <ul className="mt-3 flex flex-col divide-y divide-line card text-sm">
        {reports.map(({ id, state, about, created_at }) => (
          <li key={id} className="px-5 py-3">
            <a className="link" href={state === 'open' ? messages : `${messages}?state=settled`}>
              {state === 'open' ? 'Waiting for an admin' : 'Resolved'}
            </a>
            , about {about === 'project' ? 'a project' : 'coaching'}, reported on{' '}
            {dayText(created_at, timeZone)}
          </li>
        ))}
      </ul>
    </Section>
  );
}

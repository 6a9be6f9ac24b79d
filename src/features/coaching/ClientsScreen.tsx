import type { CoachClient } from '#data/coaching.ts';
import { COACH_TEXT } from '#domain/engagement.ts';
import { dayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/routes.ts';
import { writeHref } from '#lib/routing/write-href.ts';
import { scoreText } from '#ui/charts/levels.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';

interface ClientsProps {
  clients: CoachClient[];
  /** The reader's IANA time zone. */
  timeZone: string;
}

/** A coach's clients and the results they share. It doesn't need JavaScript. */
function ClientsScreen({ clients, timeZone }: ClientsProps) {
  return (
    <div className="flex flex-col gap-8">
      <header>
        <h1>Your clients</h1>
        <p className="mt-2 max-w-[60ch] text-muted">
          You can see an owner’s results only while they share them.
        </p>
      </header>
      {clients.length === 0 ? (
        <EmptyState title="No clients yet">
          Clients show up here as soon as an admin assigns them to you.
        </EmptyState>
      ) : (
        <ul className="grid gap-5 md:grid-cols-2">
          {clients.map((client) => (
            <Client key={client.engagement_id} client={client} timeZone={timeZone} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Client({ client, timeZone }: { client: CoachClient; timeZone: string }) {
  const { title, next } = COACH_TEXT[client.state];
  const results = client.latest_attempt;
  return (
    <li className="card flex flex-col gap-4 p-6 [overflow-wrap:anywhere]">
      <div>
        <p className="eyebrow">{title}</p>
        <h2 className="mt-1 text-lg">{client.business.name}</h2>
        <p className="text-sm text-muted">{client.owner.full_name || 'Unnamed owner'}</p>
      </div>
      {next && <p className="text-sm">{next}</p>}
      <p className="text-sm">
        <a className="link" href={writeHref('engagement', client.engagement_id)}>
          Message {client.owner.full_name || 'them'}
          <span className="sr-only">, {client.business.name}</span>
        </a>
      </p>
      <div className="mt-auto border-t border-line pt-4 text-sm">
        {results ? (
          <p className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
            <a className="link" href={hrefFor('/dashboard/skills/quiz/[id]', { id: results.id })}>
              Results from {dayText(results.submitted_at, timeZone)}
              <span className="sr-only">, {client.business.name}</span>
            </a>
            <span className="text-muted">
              {results.overall_score === null
                ? 'No overall score'
                : `${scoreText(results.overall_score)} out of 100 overall`}
            </span>
          </p>
        ) : (
          <p className="text-muted">
            {client.results_shared
              ? 'Shares results, but hasn’t submitted any yet.'
              : 'Doesn’t share results.'}
          </p>
        )}
      </div>
    </li>
  );
}

export default screen(ClientsScreen);

import type { Match } from '#data/admin-engagement.ts';
import { awayText, fitReasons, loadText } from '#domain/admin-coaching.ts';
import { nearDayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { Section } from '#ui/Section.tsx';
import { CapacityVine } from './CapacityVine.tsx';
import type { EngagementNames } from './names.ts';

interface MatchesProps {
  matches: readonly Match[];
  names: EngagementNames;
  /** The buttons' label: "Assign", "Hand over". */
  action: string;
  onChoose: (match: Match) => void;
  /** The day where the admin is. */
  today: string;
}

/** As many are shown right away. */
const FIRST = 3;

/** Coaches who'd fit, best first, with the reasons. */
export function Matches(props: MatchesProps) {
  const { matches } = props;
  const free = matches.filter(({ has_room }) => has_room);
  const first = free.slice(0, FIRST);
  const rest = matches.filter((match) => !first.includes(match));
  return (
    <Section id="matches" title="Suggested coaches">
      {first.length === 0 && (
        <p className="mt-2 text-sm text-muted">
          No coach has room right now. Ask one to take more clients, or make someone a coach on{' '}
          <a className="link" href={hrefFor('/admin/people')}>
            their page
          </a>
          .
        </p>
      )}
      {first.length > 0 && (
        <ul className="mt-3 grid gap-4 md:grid-cols-2 xl:grid-cols-3">
          {first.map((match, place) => (
            <MatchCard key={match.user_id} {...props} match={match} isBest={place === 0} />
          ))}
        </ul>
      )}
      {rest.length > 0 && (
        <details className="mt-4">
          <summary className="text-sm">
            {rest.length === 1 ? 'One more coach' : `${rest.length} more coaches`}
          </summary>
          <ul className="mt-3 flex flex-col card divide-y divide-line">
            {rest.map((match) => (
              <MatchRow key={match.user_id} {...props} match={match} />
            ))}
          </ul>
        </details>
      )}
    </Section>
  );
}

type OneProps = MatchesProps & { match: Match };

const nameOf = ({ name }: Match) => name || 'Unnamed';

const ProfileLink = ({ match }: { match: Match }) => (
  <a className="link wrap-anywhere" href={hrefFor('/admin/people/[id]', { id: match.user_id })}>
    {nameOf(match)}
  </a>
);

/** How busy they are. */
const Load = ({ match: { clients, waiting, capacity } }: { match: Match }) => (
  <>
    {loadText(clients, capacity)}
    {waiting > 0 && `, ${waiting} to answer`}
  </>
);

const ChooseButton = ({
  match,
  action,
  onChoose,
  variant,
}: OneProps & { variant: 'primary' | 'secondary' }) => (
  <Button size="small" variant={variant} needsScript onClick={() => onChoose(match)}>
    {action}
    <span className="sr-only"> to {nameOf(match)}</span>
  </Button>
);

/** They declined, didn't answer in time or coached this business before. */
const BeforeMark = () => (
  <p className="text-xs font-medium text-caution">Was asked or coached here before</p>
);

function MatchCard(props: OneProps & { isBest: boolean }) {
  const { match, names, isBest } = props;
  const reasons = fitReasons(names.fitOf(match));
  return (
    <li className="card flex min-w-0 flex-col gap-3 p-5">
      <div>
        <h3 className="font-text text-base font-semibold">
          <ProfileLink match={match} />
        </h3>
        <p className="text-xs text-muted">
          <Load match={match} />
        </p>
      </div>
      <CapacityVine
        accepted={match.clients - match.waiting}
        waiting={match.waiting}
        room={match.room}
      />
      {reasons.length === 0 ? (
        <p className="grow text-sm text-muted">Has room; nothing else is known.</p>
      ) : (
        <ul className="flex grow flex-col gap-1 text-sm">
          {reasons.map((reason) => (
            <li key={reason} className="flex gap-2">
              <Leaflet />
              <span className="min-w-0">{reason}</span>
            </li>
          ))}
        </ul>
      )}
      {match.before && <BeforeMark />}
      <div>
        <ChooseButton {...props} variant={isBest ? 'primary' : 'secondary'} />
      </div>
    </li>
  );
}

/** The list's marker. */
const Leaflet = () => (
  <svg viewBox="0 0 16 16" className="mt-1 size-3.5 shrink-0 fill-leaf" aria-hidden="true">
    <path d="M1 15C1 7 6 2 15 1C15 10 10 15 1 15Z" />
  </svg>
);

function MatchRow(props: OneProps) {
  const { match, names, today } = props;
  const reasons = fitReasons(names.fitOf(match));
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3 text-sm">
      <div className="min-w-0 grow basis-60">
        <ProfileLink match={match} />{' '}
        <span className="text-muted">
          <Load match={match} />
        </span>
        {reasons.length > 0 && <p className="text-xs text-muted">{reasons.join(' · ')}</p>}
        {match.before && <BeforeMark />}
      </div>
      {match.has_room ? (
        <ChooseButton {...props} variant="secondary" />
      ) : (
        <span className="text-xs text-muted">
          {match.away ? awayText(match.away, (day) => nearDayText(day, today)) : 'No room'}
        </span>
      )}
    </li>
  );
}

import type { Skills } from '#data/attempts.ts';
import type { SessionFacts } from '#data/session.ts';
import { Button } from '#ui/Button.tsx';
import { Bloom } from '#ui/charts/Bloom.tsx';
import { BloomTable } from '#ui/charts/BloomTable.tsx';
import type { SkillScore } from '#ui/charts/levels.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { nextStep } from './next-step.ts';

interface HomeProps {
  session: SessionFacts;
  skills: Skills;
  /** ISO 8601, now. */
  today: string;
}

/** The first page after signing in. Drawn on the server; it needs no scripts. */
export default function HomeScreen({ session, skills, today }: HomeProps) {
  const next = nextStep(skills, today);
  const petals = petalsOf(skills);
  const first = session.fullName.split(/\s+/)[0];
  return (
    <div className="flex flex-col gap-8">
      <h1 className="text-2xl">{first ? `Good to see you, ${first}` : 'Your dashboard'}</h1>
      <section aria-labelledby="next" className="card p-6 md:p-8">
        <p className="eyebrow">What to do next</p>
        <h2 id="next" className="mt-1 text-xl">
          {next.title}
        </h2>
        <p className="mt-2 max-w-[60ch] text-muted">{next.reason}</p>
        <Button className="mt-5" href={next.action.href}>
          {next.action.label}
        </Button>
      </section>
      <section aria-labelledby="skills">
        <div className="mb-4 flex flex-wrap items-baseline justify-between gap-3">
          <h2 id="skills" className="text-xl">
            Skills at a glance
          </h2>
          {petals && (
            <a className="link text-sm" href="/dashboard/skills">
              All your results
            </a>
          )}
        </div>
        {petals ? (
          <div className="card grid items-center gap-6 p-6 md:grid-cols-[minmax(0,20rem)_minmax(0,1fr)]">
            <Bloom petals={petals} className="mx-auto w-full max-w-80" />
            <BloomTable petals={petals} caption="Your eight skills" />
          </div>
        ) : (
          <EmptyState title="Eight petals will grow here">
            One for each skill, as long as its score. They need your answers first.
          </EmptyState>
        )}
      </section>
      <BusinessSection session={session} />
    </div>
  );
}

function BusinessSection({ session }: { session: SessionFacts }) {
  const { business, businesses } = session;
  return (
    <section aria-labelledby="business">
      <h2 id="business" className="mb-4 text-xl">
        Business
      </h2>
      {business ? (
        <div className="card flex flex-wrap items-center justify-between gap-4 p-6">
          <p className="font-semibold [overflow-wrap:anywhere]">{business.name}</p>
          <a className="link text-sm" href="/dashboard/businesses">
            {businesses.length > 1 ? `All ${businesses.length} businesses` : 'Businesses'}
          </a>
        </div>
      ) : (
        <EmptyState
          title="No business yet"
          action={
            <Button variant="secondary" href="/dashboard/businesses/new">
              Add your business
            </Button>
          }
        >
          The quiz works without one. With one, results stand under its name.
        </EmptyState>
      )}
    </section>
  );
}

/** The petals of the latest results; null while there are none. */
function petalsOf({ latest }: Skills): SkillScore[] | null {
  if (!latest || latest.attempt.kind === 'first_look') return null;
  return latest.version.areas
    .toSorted((a, b) => a.position - b.position)
    .map((area) => {
      const found = latest.scores.find(({ area_key }) => area_key === area.key);
      return {
        key: area.key,
        label: area.name,
        short_label: area.short_name,
        score: found?.score ?? null,
        level: found?.level ?? null,
      };
    });
}

import type { ReactNode } from 'react';
import type { ProgramTerms, SeatOffer } from '#data/programs.ts';
import type { SeatKey } from '#domain/program.ts';
import { calendarDayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { registerHref, signInHref } from '#lib/routing/seat-href.ts';
import { Button } from '#ui/Button.tsx';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Figures } from './Figures.tsx';

interface OfferProps {
  /** Null: nothing was entered yet. */
  seatKey: SeatKey | null;
  /** Only open ones; null without a key. */
  offer: SeatOffer | null;
  /** What went wrong with the code or the form, in words. */
  problem: string | null;
  /** An island that names a first business. */
  children?: ReactNode;
}

/** A seat that someone can take: what it is, who pays, what they see, and agreeing to it. Works without JavaScript. */
function OfferScreen({ seatKey, offer, problem, children }: OfferProps) {
  const program = offer?.program ?? null;
  if (!seatKey || !offer || !program) {
    return (
      <Frame title="Use a seat code" problem={problem}>
        <p className="text-muted">
          Your county, lender or employer may pay for coaching for your business. Enter the code
          they gave you, with or without an account.
        </p>
        <CodeForm code={seatKey && 'code' in seatKey ? seatKey.code : ''} />
        <p className="text-sm text-muted">
          No code?{' '}
          <a className="link" href={hrefFor('/pricing')}>
            See prices
          </a>{' '}
          or{' '}
          <a className="link" href={hrefFor('/pricing/how-to-buy')}>
            buy for a group
          </a>
          .
        </p>
      </Frame>
    );
  }
  return (
    <Frame title={`A seat in ${program.name}`} problem={problem}>
      <Terms program={program} />
      {offer.businesses === null ? (
        <SignedOut seatKey={seatKey} />
      ) : offer.businesses.length === 0 ? (
        children
      ) : (
        <AgreeForm seatKey={seatKey} offer={offer} program={program} />
      )}
      {offer.figures && (
        <details className="border-t border-line pt-5">
          <summary className="font-semibold">Exactly what {program.sponsor} sees now</summary>
          <div className="mt-4">
            <Figures figures={offer.figures} />
          </div>
        </details>
      )}
    </Frame>
  );
}

function Frame({
  title,
  problem,
  children,
}: {
  title: string;
  problem: string | null;
  children: ReactNode;
}) {
  return (
    <div className="wrap py-10 md:py-14">
      <div className="flex max-w-2xl flex-col gap-6">
        <h1 className="[overflow-wrap:anywhere]">{title}</h1>
        {problem && <Notice tone="danger" live="assertive" title={problem} />}
        {children}
      </div>
    </div>
  );
}

/** Sends the code to this page in its address, so that it's kept through registering. */
export const CodeForm = ({ code }: { code: string }) => (
  <form method="get" action={hrefFor('/purchase')} className="flex flex-wrap items-end gap-3">
    <Field
      label="Seat code"
      name="code"
      defaultValue={code}
      required
      maxLength={40}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      className="min-w-0 grow basis-60"
    />
    <Button type="submit">Check the code</Button>
  </form>
);

/** The paragraphs of a text. */
export const Paragraphs = ({ text }: { text: string }) =>
  text
    .split(/\n\s*\n/)
    // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
    .map((paragraph, index) => <p key={index}>{paragraph}</p>);

const Terms = ({ program }: { program: ProgramTerms }) => (
  <>
    <p className="text-muted">
      {program.sponsor} pays for {program.sessions} coaching sessions for your business, good from{' '}
      {calendarDayText(program.starts_on)} through {calendarDayText(program.ends_on)}. You choose
      the coach, and it costs you nothing.
    </p>
    <section aria-labelledby="agree" className="card flex flex-col gap-3 p-5 md:p-6">
      <h2 id="agree" className="text-lg">
        What you agree to
      </h2>
      <div className="flex flex-col gap-3 [overflow-wrap:anywhere]">
        <Paragraphs text={program.consent} />
      </div>
    </section>
  </>
);

const SignedOut = ({ seatKey }: { seatKey: SeatKey }) => (
  <div>
    <p>
      To take the seat, create an account or sign in. We’ll bring you back to this page, and nothing
      is agreed to before that.
    </p>
    <div className="mt-4 flex flex-wrap gap-3">
      <Button href={registerHref(seatKey)}>Create an account</Button>
      <Button href={signInHref(seatKey)} variant="secondary">
        Sign in
      </Button>
    </div>
  </div>
);

interface AgreeProps {
  seatKey: SeatKey;
  offer: SeatOffer;
  program: ProgramTerms;
}

function AgreeForm({ seatKey, offer, program }: AgreeProps) {
  const businesses = offer.businesses ?? [];
  const asksWhere =
    program.postal_prefixes.length > 0 && businesses.some(({ postal_code }) => !postal_code);
  return (
    <form method="post" action={hrefFor('/purchase')} className="flex flex-col items-start gap-5">
      {'code' in seatKey ? (
        <input type="hidden" name="code" value={seatKey.code} />
      ) : (
        <input type="hidden" name="seat" value={seatKey.seatId} />
      )}
      <input type="hidden" name="version" value={program.consent_version} />
      <fieldset className="flex w-full flex-col gap-1">
        <legend className="mb-1 text-sm font-semibold">Which business is it for?</legend>
        {businesses.map(({ id, name }, place) => (
          <label
            key={id}
            className="flex min-h-11 items-center gap-3 text-sm [overflow-wrap:anywhere]"
          >
            <input
              type="radio"
              name="business"
              value={id}
              defaultChecked={place === 0}
              className="size-5 shrink-0 accent-primary"
            />
            {name}
          </label>
        ))}
      </fieldset>
      {asksWhere && (
        <Field
          label="Postal code of the business"
          hint="The program is for one area. We save it with your business."
          name="postal_code"
          autoComplete="postal-code"
          maxLength={16}
        />
      )}
      {program.has_report && (
        <Checkbox
          name="figures"
          label="Count the change in our jobs and sales in the totals"
          hint="It’s up to you. It comes from the figures you keep with your business, and is only shown for five businesses or more."
        />
      )}
      <Checkbox
        name="agree"
        required
        label="I’ve read the text above and agree to it for my business"
      />
      <Button type="submit">Take the seat</Button>
    </form>
  );
}

export default screen(OfferScreen);

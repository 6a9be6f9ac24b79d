import { useMemo } from 'react';
import type { Scored } from '#domain/scoring.ts';
import { Button } from '#ui/Button.tsx';
import { Bloom } from '#ui/charts/Bloom.tsx';
import { BloomTable } from '#ui/charts/BloomTable.tsx';
import { useSay } from '#ui/InLanguage.tsx';
import { scoreGiven } from './Pause.tsx';
import { petalsOf, sentenceOf } from './petals.ts';
import type { StepProps } from './Question.tsx';

interface CompleteProps extends Omit<StepProps<never>, 'step'> {
  /** The result; null if the database has it, so that it's computed from the answers once more. */
  scored: Scored | null;
}

/** The end of the full quiz: the whole bloom draws in. One key or tap opens the result. */
export function Complete({ store, given, heading, scored }: CompleteProps) {
  const say = useSay();
  const shown = useMemo(() => scored ?? scoreGiven(store, given), [scored, store, given]);
  const petals = petalsOf(store.version, shown);
  return (
    <section className="card flex flex-col items-center gap-5 p-6 text-center max-sm:border-0 max-sm:bg-transparent max-sm:shadow-none sm:p-10">
      <div>
        <p className="eyebrow">{say('Finished')}</p>
        <h1 ref={heading} tabIndex={-1} className="mt-1 text-2xl outline-none">
          {say('Your skills in bloom')}
        </h1>
      </div>
      <Bloom petals={petals} grow className="max-w-96" />
      <div className="sr-only">
        <BloomTable petals={petals} caption={say('Your eight skills')} />
      </div>
      <p className="max-w-[46ch]">
        {sentenceOf(store.version, shown, say) ??
          say('Answer a few more questions to see your skills.')}
      </p>
      <Button size="large" onClick={store.next}>
        {say('See your results')}
      </Button>
    </section>
  );
}

import { LevelWord } from '#ui/charts/BloomTable.tsx';
import { scoreText } from '#ui/charts/levels.ts';
import { useSay } from '#ui/InLanguage.tsx';
import { areaSentence } from './report.ts';
import { type AreaResult, confidenceSentence, whyNoScore } from './results.ts';

/** One area: its score, a sentence about it, the weakest practice, the next step up, and every answer. */
export function AreaSection({ result, mine }: { result: AreaResult; mine: boolean }) {
  const say = useSay();
  const { area, score, weakest, answers, rating } = result;
  const about = areaSentence(result, mine, say);
  const confidence =
    confidenceSentence(result, mine, say) ??
    (rating === null ? null : say('Confidence: {rating} out of 5.', { rating }));
  return (
    <section
      id={`area-${area.key}`}
      aria-labelledby={`name-${area.key}`}
      className="grid gap-x-10 gap-y-3 border-t border-line py-6 first:border-t-0 print:first:border-t md:grid-cols-[15rem_minmax(0,1fr)] print:block print:break-inside-avoid print:py-1.5 print:text-sm"
    >
      <div className="print:flex print:items-baseline print:justify-between print:gap-3">
        <h3 id={`name-${area.key}`} className="print:text-base">
          {area.name}
        </h3>
        <p className="mt-1 flex items-baseline gap-3 print:mt-0">
          {score.score !== null && (
            <span className="font-semibold figures">{scoreText(score.score)}</span>
          )}
          <LevelWord level={score.level} left_out={score.applicable === 0} />
        </p>
      </div>
      <div className="flex max-w-[68ch] flex-col gap-4 print:gap-0.5">
        {score.score === null && <p className="text-muted">{whyNoScore(result, mine, say)}</p>}
        {/* On a phone, the weakest practice and the answers say it, in less room. */}
        {about && <p className="max-md:hidden print:block print:text-xs">{about}</p>}
        {weakest && (
          <dl className="grid gap-x-6 gap-y-1.5 text-sm sm:grid-cols-[8.5rem_minmax(0,1fr)] print:block print:text-xs">
            <dt className="text-muted print:inline print:after:content-[':_']">
              {say('Weakest practice')}
            </dt>
            <dd className="font-semibold print:inline">{weakest.question.practice}</dd>
            <dt className="text-muted print:inline print:before:content-['_·_'] print:after:content-[':_']">
              {say('Next step up')}
            </dt>
            <dd className="print:inline">
              {weakest.next ??
                (mine
                  ? say('You’re at the top of the scale. Keep it up.')
                  : say('None. This is the top of the scale.'))}
            </dd>
          </dl>
        )}
        {/* On screen it's next to the bars, which the printout has no room for. */}
        {confidence && <p className="hidden text-xs print:block">{confidence}</p>}
        <details className="text-sm print:not-open:hidden">
          <summary className="link inline-block py-1 pointer-coarse:py-3">
            {answers.length === 1
              ? say('The question')
              : say('All {count} answers', { count: answers.length })}
            <span className="sr-only">
              {' '}
              {say('about {area}', { area: area.name.toLowerCase() })}
            </span>
          </summary>
          <dl className="mt-2 flex flex-col gap-3">
            {answers.map(({ question, value, words }) => (
              <div key={question.key}>
                <dt className="text-muted">{question.text}</dt>
                <dd className="mt-0.5">
                  {say(words)}
                  {value !== null && (
                    <span className="text-muted figures"> {say('({value} of 4)', { value })}</span>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </details>
      </div>
    </section>
  );
}

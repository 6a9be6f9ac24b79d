import type { SurveyResults } from '#data/survey-results.ts';
import { NOT_SHOWN } from '#domain/survey-results.ts';
import { Section } from '#ui/Section.tsx';

/** As many are shown right away. */
const FIRST = 10;

/** Comments in the order they're given, the later ones behind a summary. */
function CommentList({ texts }: { texts: readonly string[] }) {
  const list = (some: readonly string[]) => (
    <ul className="flex flex-col divide-y divide-line">
      {some.map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two people can write the same
        <li key={index} className="py-3 text-sm whitespace-pre-line wrap-anywhere">
          {text}
        </li>
      ))}
    </ul>
  );
  const rest = texts.slice(FIRST);
  return (
    <>
      <div className="mt-3">{list(texts.slice(0, FIRST))}</div>
      {rest.length > 0 && (
        <details className="border-t border-line pt-3">
          <summary className="text-sm">
            {rest.length === 1 ? 'One more comment' : `${rest.length} more comments`}
          </summary>
          {list(rest)}
        </details>
      )}
    </>
  );
}

/** What people wrote, in random order. */
export function Comments({ survey }: { survey: SurveyResults }) {
  return (
    <Section id="comments" title="What people wrote" titleClass="text-xl">
      <p className="mt-2 max-w-prose text-sm text-muted">
        In random order, and at least five new ones at a time.
      </p>
      <div className="mt-4 grid items-start gap-5 lg:grid-cols-2">
        {survey.comments.map((question, place) => (
          <div key={question} className="card min-w-0 p-5">
            <h3>{question}</h3>
            {survey.figures.comments[place] ? (
              <CommentList texts={survey.figures.comments[place]} />
            ) : (
              <p className="mt-2 text-sm text-muted">{NOT_SHOWN}</p>
            )}
          </div>
        ))}
      </div>
    </Section>
  );
}

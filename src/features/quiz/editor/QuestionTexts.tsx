import type { EditedVersion } from '#data/quiz-versions.ts';
import { Section } from '#ui/Section.tsx';

/** The questions of a version that was published, area by area. They can't change. */
export function QuestionTexts({ version }: { version: EditedVersion }) {
  return (
    <div className="grid items-start gap-6 xl:grid-cols-2">
      {version.areas.map(({ key, name }) => {
        const settings = version.settings.areas.find((each) => each.key === key);
        return (
          <Section key={key} id={`area-${key}`} title={name} className="card p-5 md:p-6">
            <p className="mt-1 text-sm text-muted">Importance {settings?.importance} of 3</p>
            {settings?.skip_question && (
              <p className="mt-1 text-sm">
                <span className="text-muted">Only if the answer is yes: </span>
                {settings.skip_question}
              </p>
            )}
            <ul className="mt-3 divide-y divide-line">
              {version.questions
                .filter(({ area_key }) => area_key === key)
                .map((question) => (
                  <li key={question.key} className="py-1">
                    <details>
                      <summary className="cursor-pointer py-2.5 text-sm">
                        <span className="font-semibold">{question.practice}</span>
                        {settings?.first_look === question.key && (
                          <>
                            {' '}
                            <span className="text-xs whitespace-nowrap text-primary">
                              In the first look
                            </span>
                          </>
                        )}
                      </summary>
                      <div className="mt-1 mb-2 flex flex-col gap-2 pl-4 text-sm">
                        <p className="wrap-anywhere">{question.text}</p>
                        {question.help && <p className="text-muted">{question.help}</p>}
                        <ol start={0} className="list-decimal pl-6">
                          {question.anchors.map((anchor) => (
                            <li key={anchor}>{anchor}</li>
                          ))}
                        </ol>
                        <p>
                          <span className="text-muted">Weight: </span>
                          {question.weight}
                        </p>
                        <p>
                          <span className="text-muted">In the next 30 days: </span>
                          {question.action}
                        </p>
                      </div>
                    </details>
                  </li>
                ))}
            </ul>
          </Section>
        );
      })}
    </div>
  );
}

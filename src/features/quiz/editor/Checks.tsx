import type { DraftProblem, EditedVersion } from '#data/quiz-versions.ts';
import { Section } from '#ui/Section.tsx';

interface ChecksProps {
  draft: EditedVersion;
  /** Opens the question or area that a problem is about, with the focus in its field. */
  onShow: (problem: DraftProblem) => void;
}

/** The id of a field's element on the page. */
export const fieldId = (
  { question_key, area_key }: Pick<DraftProblem, 'question_key' | 'area_key'>,
  field: string,
) => `${question_key ?? area_key ?? 'quiz'}-${field}`;

/** What keeps a draft from being published, each with a link to its field. */
export function Checks({ draft, onShow }: ChecksProps) {
  const problems = draft.checks?.problems ?? [];
  const placeOf = ({ area_key, question_key }: DraftProblem) =>
    draft.questions.find(({ key }) => key === question_key)?.practice ||
    draft.areas.find(({ key }) => key === area_key)?.name ||
    null;
  return (
    <Section id="checks" title="Before you publish" className="card p-5">
      <p role="status" className="mt-1 text-sm text-muted">
        {problems.length === 0
          ? 'Everything’s ready.'
          : `${problems.length} ${problems.length === 1 ? 'thing' : 'things'} to fix first.`}
      </p>
      {problems.length > 0 && (
        <ul className="mt-3 flex max-h-96 flex-col gap-3 overflow-y-auto text-sm">
          {problems.map((each) => {
            const id = fieldId(each, each.field);
            const place = placeOf(each);
            return (
              <li key={`${id} ${each.problem}`}>
                {place && <p className="text-xs text-muted">{place}</p>}
                {each.field === 'nothing' ? (
                  each.problem
                ) : (
                  <a
                    className="link"
                    href={`#${id}`}
                    onClick={(event) => {
                      event.preventDefault();
                      onShow(each);
                    }}
                  >
                    {each.problem}
                  </a>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </Section>
  );
}

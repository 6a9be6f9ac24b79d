import type { SurveyCut, SurveyResultsPage } from '#data/survey-results.ts';
import { type SurveyResultsFilter, surveyResultsFilter } from '#domain/survey-results.ts';
import { dayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { ChoiceLinks } from '#ui/ChoiceLinks.tsx';
import { GROUP_LABELS } from './Cuts.tsx';
import { cutName } from './figure-text.ts';

interface ChoicesProps {
  page: SurveyResultsPage;
  filter: SurveyResultsFilter;
  timeZone: string;
}

const hrefOf = (filter: SurveyResultsFilter) =>
  `${hrefFor('/admin/engagement-results')}${surveyResultsFilter.write(filter)}`;

/** Which survey is shown, and which of its answers; each choice is a link. */
export function Choices({ page: { surveys, survey }, filter, timeZone }: ChoicesProps) {
  if (!survey) return null;
  const of = (key: 'quarter' | 'link' | 'group', any: string, cuts: readonly SurveyCut[]) => [
    {
      name: any,
      href: hrefOf({ ...filter, [key]: key === 'group' ? '' : null }),
      isChosen: !filter[key],
    },
    ...cuts.map((cut) => ({
      name: cutName(cut),
      href: hrefOf({ ...filter, [key]: cut.value }),
      isChosen: filter[key] === cut.value,
    })),
  ];
  return (
    <div className="flex flex-col gap-3">
      {surveys.length > 1 && (
        <ChoiceLinks
          isLabelShown
          columns={1}
          label="Survey"
          options={surveys.map(({ id, title, state, opened_at }) => ({
            name:
              state === 'open'
                ? `${title} (open)`
                : `${title} (from ${dayText(opened_at, timeZone)})`,
            href: hrefOf({ survey: id, quarter: null, link: null, group: '' }),
            isChosen: id === survey.id,
          }))}
        />
      )}
      {survey.quarters.length > 1 && (
        <ChoiceLinks
          isLabelShown
          columns={3}
          label="Quarter"
          options={of('quarter', 'All', survey.quarters)}
        />
      )}
      {survey.links.length > 1 && (
        <ChoiceLinks
          isLabelShown
          columns={1}
          label="Link"
          options={of('link', 'Both', survey.links)}
        />
      )}
      {survey.grouped_by && survey.groups.length > 1 && (
        <ChoiceLinks
          isLabelShown
          columns={2}
          label={GROUP_LABELS[survey.grouped_by]}
          options={of('group', 'All', survey.groups)}
        />
      )}
    </div>
  );
}

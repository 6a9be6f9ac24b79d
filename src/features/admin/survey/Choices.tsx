import type { SurveyCut, SurveyResultsPage } from '#data/survey-results.ts';
import { type SurveyResultsFilter, surveyResultsFilter } from '#domain/survey-results.ts';
import { dayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { GROUP_LABELS } from './Cuts.tsx';
import { cutName } from './figure-text.ts';

interface ChoicesProps {
  page: SurveyResultsPage;
  filter: SurveyResultsFilter;
  timeZone: string;
}

const hrefOf = (filter: SurveyResultsFilter) =>
  `${hrefFor('/admin/engagement-results')}${surveyResultsFilter.write(filter)}`;

const look =
  'inline-flex min-h-10 items-center rounded-[0.55rem] pointer-coarse:min-h-11 px-4 text-sm text-muted hover:text-ink aria-[current]:bg-primary-soft aria-[current]:font-semibold aria-[current]:text-ink';

interface Option {
  name: string;
  href: string;
  isChosen: boolean;
}

const ChoiceList = ({ label, options }: { label: string; options: readonly Option[] }) => (
  <nav aria-label={label} className="flex flex-wrap items-center gap-x-3 gap-y-1">
    <span aria-hidden="true" className="text-sm font-semibold">
      {label}
    </span>
    <ul className="inline-flex flex-wrap rounded-control border border-line p-0.5">
      {options.map(({ name, href, isChosen }) => (
        <li key={href}>
          <a href={href} aria-current={isChosen ? 'true' : undefined} className={look}>
            {name}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

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
        <ChoiceList
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
        <ChoiceList label="Quarter" options={of('quarter', 'All', survey.quarters)} />
      )}
      {survey.links.length > 1 && (
        <ChoiceList label="Link" options={of('link', 'Both', survey.links)} />
      )}
      {survey.grouped_by && survey.groups.length > 1 && (
        <ChoiceList
          label={GROUP_LABELS[survey.grouped_by]}
          options={of('group', 'All', survey.groups)}
        />
      )}
    </div>
  );
}

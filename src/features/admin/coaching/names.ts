/** Names of what an engagement's data has as keys and codes. */
import type { AdminEngagement, Match } from '#data/admin-engagement.ts';
import type { Fit } from '#domain/admin-coaching.ts';

export interface EngagementNames {
  /** Of a skill area. */
  areaOf: (key: string) => string;
  /** Of a language. */
  languageOf: (code: string) => string;
  /** What speaks for a coach, by name. */
  fitOf: (match: Match) => Fit;
}

/** @param languages names by BCP 47 code, which the server knows */
export function namesIn(
  { skill_areas }: Pick<AdminEngagement, 'skill_areas'>,
  languages: Record<string, string>,
): EngagementNames {
  const areaOf = (key: string) => skill_areas.find((area) => area.key === key)?.name ?? key;
  const languageOf = (code: string) => languages[code] ?? code;
  return {
    areaOf,
    languageOf,
    fitOf: ({ areas, industry, languages: codes, hours }) => ({
      areas: areas.map(areaOf),
      industry,
      // Everyone is helped in English.
      languages: codes.filter((code) => !/^en\b/.test(code)).map(languageOf),
      hours,
    }),
  };
}

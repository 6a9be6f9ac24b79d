/**
 * The texts of the code in other languages, from `content/<language>/words.yaml`, and the quiz's
 * from `content/<language>/quiz`. Pages rendered on demand use them too, so the files are part of
 * the server's code, and each is read when it's first needed.
 */
import { parse } from 'yaml';
import { DEFAULT_LANGUAGE, type Language, type Say, sayer, type Texts } from '#domain/language.ts';
import { spokenPractice } from '#domain/spoken-practices.ts';
import { type Site, site } from './site.ts';

const files = import.meta.glob<string>('../../../content/*/{words,site,home,quiz/*}.yaml', {
  query: '?raw',
  import: 'default',
  eager: true,
});

const parsed = new Map<string, unknown>();

/** A file of a language's folder; undefined if it hasn't one. */
export function readTranslated(language: Language, name: string): unknown {
  const path = `../../../content/${language}/${name}`;
  if (!parsed.has(path)) parsed.set(path, parse(files[path] ?? ''));
  return parsed.get(path) ?? undefined;
}

/** A part of `words.yaml`: what one kind of page says. */
type Part =
  | 'site'
  | 'shared'
  | 'charts'
  | 'quiz'
  | 'attempt'
  | 'results'
  | 'recommendations'
  | 'print'
  | 'business'
  | 'tools';

/** The texts of these parts; undefined in English, whose texts are in the code. */
export function textsIn(language: Language, parts: readonly Part[]): Texts | undefined {
  if (language === DEFAULT_LANGUAGE) return undefined;
  const words = readTranslated(language, 'words.yaml') as Record<Part, Record<string, string>>;
  const texts = Object.assign({}, ...parts.map((part) => words[part]));
  return {
    language,
    texts: parts.includes('results') ? { ...practicesIn(language), ...texts } : texts,
  };
}

/** The practices of the quiz as sentences say them, by what they say in English. */
function practicesIn(language: Language): Record<string, string> {
  const newest = Object.keys(files)
    .filter((path) => path.includes(`/${language}/quiz/version-`))
    .map(
      (path) =>
        (readTranslated(language, path.split(`/${language}/`)[1] ?? '') as VersionTexts).questions,
    )
    .flatMap(Object.entries<VersionTexts['questions'][string]>);
  return Object.fromEntries(newest.map(([key, { spoken }]) => [spokenPractice(key, key), spoken]));
}

/** Says the texts of public pages. */
export const sayIn = (language: Language): Say => sayer(textsIn(language, ['site', 'charts']));

/** The organization, described in a language. */
export const siteIn = (language: Language): Site => ({
  ...site,
  ...(readTranslated(language, 'site.yaml') as Partial<Site> | undefined),
});

/** The texts of a question: `content/<language>/quiz/version-<number>.yaml` has the same ones. */
interface QuestionTexts {
  practice: string;
  text: string;
  help?: string | null | undefined;
  anchors: readonly string[];
  action: string;
}
type AreaTexts = { name: string; short_name: string; summary?: string };
type Skip = { question: string; help?: string | null | undefined };
interface VersionTexts {
  title: string;
  areas: Record<string, { skip?: Skip }>;
  questions: Record<string, QuestionTexts & { spoken: string }>;
}

const versionTexts = (language: Language, number: number) =>
  readTranslated(language, `quiz/version-${number}.yaml`) as VersionTexts | undefined;

/** Skill areas with their names in a language. */
export function areasIn<Area extends AreaTexts & { key: string }>(
  language: Language,
  areas: readonly Area[],
): Area[] {
  const names = readTranslated(language, 'quiz/areas.yaml') as
    | Record<string, AreaTexts>
    | undefined;
  return areas.map((area) => {
    const own = names?.[area.key];
    if (!own) return area;
    const { name, short_name, summary = '' } = own;
    return { ...area, name, short_name, ...('summary' in area && { summary }) };
  });
}

/** Questions of a version with their texts in a language, if it's in that. */
export function questionsIn<Question extends QuestionTexts & { key: string }>(
  language: Language,
  number: number,
  questions: readonly Question[],
): Question[] {
  const texts = versionTexts(language, number)?.questions;
  return questions.map((question) => {
    const own = texts?.[question.key];
    if (!own) return question;
    const { practice, text, anchors, action } = own;
    const help = own.help ?? question.help;
    return { ...question, practice, text, anchors, action, ...('help' in question && { help }) };
  });
}

/** What a version of the quiz has of texts, as the database returns it. */
interface SpokenVersion {
  number: number;
  title: string;
  areas: readonly (AreaTexts & { key: string; skip: Skip | null })[];
  questions: readonly (QuestionTexts & { key: string })[];
}

/** A version of the quiz in a language; in English if there's none of it in that. */
export function versionIn<Version extends SpokenVersion>(
  language: Language,
  version: Version,
): Version {
  const texts = versionTexts(language, version.number);
  if (!texts) return version;
  const areas = areasIn(language, version.areas).map((area) => ({
    ...area,
    skip: area.skip && { ...area.skip, ...texts.areas[area.key]?.skip },
  }));
  const questions = questionsIn(language, version.number, version.questions);
  return { ...version, title: texts.title, areas, questions };
}

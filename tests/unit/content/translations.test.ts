import { existsSync, readdirSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { translatedPageSchema } from '#collections/pages.ts';
import { areaSchema, quizVersionSchema } from '#collections/quiz.ts';
import { choicesOf } from '#domain/business-choices.ts';
import { inEnglish, LANGUAGES, languageFrom, sayer, TRANSLATIONS } from '#domain/language.ts';
import { LEVEL_LABELS } from '#domain/level.ts';
import { TOOL_KINDS } from '#domain/tool.ts';
import { numberText } from '#lib/locale/numbers.ts';
import { addressIn, splitAddress } from '#lib/routing/languages.ts';
import { footerGroups, legalLinks } from '#lib/routing/navigation.ts';
import { newBusiness } from '#lib/schemas/account.ts';
import { problemsOf } from '#lib/schemas/fields.ts';
import { LEFT_OUT, NOT_ENOUGH } from '#ui/charts/levels.ts';
import { LONG, SHORT } from '#ui/SaveStatus.tsx';
import { fits, names, open, read, yaml } from './content-files.ts';

const SRC = new URL('../../../src/', import.meta.url).pathname;

/** What's wrong with a business's name. */
const TOO_LONG_OR_MISSING = ['', 'x'.repeat(121)].flatMap((name) => {
  const read = v.safeParse(v.pick(newBusiness, ['name']), { name });
  return Object.values(problemsOf(read.issues ?? []));
});

/** Texts that the code says by a name, not written out where they're said. */
const NAMED = [
  ...Object.values(LEVEL_LABELS),
  LEFT_OUT,
  NOT_ENOUGH,
  ...footerGroups.flatMap(({ name, links }) => [name, ...links.map(({ label }) => label)]),
  ...legalLinks.map(({ label }) => label),
  ...Array.from({ length: 10 }, (_, count) => numberText(count)),
  ...TOOL_KINDS,
  ...names('toolbox').map((file) => open(`toolbox/${file}`).data.title as string),
  ...Object.values(SHORT),
  ...Object.values(LONG),
  ...['industry', 'stage'].flatMap((fact) => choicesOf(fact, '')?.map(({ label }) => label) ?? []),
  ...TOO_LONG_OR_MISSING,
  'Not answered',
  'Doesn’t apply to us',
  'System',
  'Light',
  'Dark',
];

const SAID =
  /\b(?:say|sayIn\((?:[^()]|\([^()]*\))*\))\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/g;

/** Every text that's said anywhere in the code. */
function saidInCode(): Set<string> {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^(?!backend|domain\/language).*\.(tsx?|astro)$/.test(name),
  );
  const saying = files.filter((name) =>
    /useSay|sayIn|sayer|\bSay\b/.test(readFileSync(SRC + name, 'utf8')),
  );
  const texts = saying.flatMap((name) =>
    [...readFileSync(SRC + name, 'utf8').matchAll(SAID)].map(([, single, double]) =>
      (single ?? double ?? '').replace(/\\(.)/g, '$1'),
    ),
  );
  return new Set([...texts, ...NAMED]);
}

const inBraces = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

/** The places of all texts in a value that a person reads, such as `steps.items.0.title`. */
function placesOf(value: unknown, place = ''): string[] {
  if (typeof value === 'string') return /\s/.test(value) || /^[A-Z]/.test(value) ? [place] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    name === 'href' || name === 'name' ? [] : placesOf(each, place ? `${place}.${name}` : name),
  );
}

/** The figures in a text, without its addresses and the calculators' starting values. */
const figuresIn = (text: string) =>
  new Set(
    text
      .replace(/<Calculator[^>]*>/g, '')
      .replace(/\]\([^)]*\)/g, '')
      .match(/\d[\d,.]*\d|\d/g)
      ?.map((figure) => figure.replaceAll(',', '')),
  );

const without = (some: ReadonlySet<string>, others: ReadonlySet<string>) =>
  [...some].filter((each) => !others.has(each));

test('Each language has its folder, and each folder of two letters is a language', () => {
  expect(names().filter((name) => /^[a-z]{2}$/.test(name))).toEqual(TRANSLATIONS);
});

test('A code that is no language of the site is read as English', () => {
  expect(['es', 'en', 'xx', '', null, undefined].map(languageFrom)).toEqual([
    'es',
    'en',
    'en',
    'en',
    'en',
    'en',
  ]);
});

test('An address and its translation lead to each other', () => {
  for (const path of ['/', '/pages/pricing-a-job']) {
    for (const language of Object.keys(LANGUAGES).map(languageFrom)) {
      expect(splitAddress(addressIn(language, path))).toEqual({ language, path });
    }
  }
  expect(splitAddress('/essays')).toEqual({ language: 'en', path: '/essays' });
});

test('A text is filled in, and said in English where a language lacks it', () => {
  const say = sayer({ language: 'es', texts: { '{count} of {all}': '{count} de {all}' } });
  expect(say('{count} of {all}', { count: 3, all: 8 })).toBe('3 de 8');
  expect(say('Next')).toBe('Next');
  expect(inEnglish('{count} of {all}', { count: 3 })).toBe('3 of {all}');
});

describe.each(TRANSLATIONS)('A person reads the site in %s', (language) => {
  const words = parse(read(`${language}/words.yaml`)) as Record<string, Record<string, string>>;
  const texts = Object.assign({}, ...Object.values(words)) as Record<string, string>;

  test('Every text of the code is there, and none is left over', () => {
    const said = saidInCode();
    expect({
      missing: [...said].filter((text) => !(text in texts)),
      leftOver: Object.keys(texts).filter((text) => !said.has(text)),
    }).toEqual({ missing: [], leftOver: [] });
  });

  test('A text leaves the same to fill in', () => {
    for (const [text, own] of Object.entries(texts)) {
      expect([text, inBraces(own)]).toEqual([text, inBraces(text)]);
    }
  });

  test('The home page says everything, and nothing else', () => {
    const english = parse(read('home.yaml'));
    const own = parse(read(`${language}/home.yaml`));
    expect(placesOf(own).sort()).toEqual(placesOf(english).sort());
  });

  test('The organization is described', () => {
    expect(Object.keys(parse(read(`${language}/site.yaml`))).sort()).toEqual([
      'description',
      'notice',
      'tagline',
    ]);
  });

  test('Each guide has the figures and the headings of the English one', () => {
    for (const file of names(`${language}/pages`)) {
      const own = open(`${language}/pages/${file}`);
      fits(translatedPageSchema, own.data, own.path);
      const english = open(`pages/${file}`);
      expect([file, own.data.updated_on]).toEqual([file, english.data.updated_on]);
      const missing = without(figuresIn(english.body), figuresIn(own.body));
      expect([file, missing]).toEqual([file, []]);
      const added = without(
        figuresIn(own.body),
        new Set(english.body.match(/\d[\d,.]*\d|\d/g)?.map((each) => each.replaceAll(',', ''))),
      );
      expect([file, added]).toEqual([file, []]);
      const levels = (body: string) => body.match(/^#+(?= )/gm);
      expect([file, levels(own.body)]).toEqual([file, levels(english.body)]);
    }
  });

  test('A link of a guide to a page in English says so, and others lead to the translation', () => {
    for (const file of names(`${language}/pages`)) {
      const { body } = open(`${language}/pages/${file}`);
      for (const [link, path = ''] of body.matchAll(/\]\((\/[^)]*)\)[^.;]*/g)) {
        if (path.startsWith(`/${language}/`)) {
          expect(existsSync(new URL(`../../../content${path}.mdx`, import.meta.url))).toBe(true);
        } else {
          expect(link).toContain('(en inglés)');
          // A guide may point to what only its own English version has.
          const isTranslated = names(`${language}/pages`).includes(
            `${path.replace('/pages/', '')}.mdx`,
          );
          expect([path, isTranslated && `/pages/${file}` !== `${path}.mdx`]).toEqual([path, false]);
        }
      }
    }
  });

  test('Each skill area has its names', () => {
    const areas = yaml('quiz/areas.yaml', areaSchema.array());
    const own = parse(read(`${language}/quiz/areas.yaml`));
    expect(Object.keys(own)).toEqual(areas.map(({ key }) => key));
    for (const area of areas) fits(areaSchema, { ...area, ...own[area.key] }, area.key);
  });

  test('Each question of the newest quiz has its five answers, in their order', () => {
    const newest =
      names('quiz')
        .filter((name) => name.startsWith('version-'))
        .sort()
        .at(-1) ?? '';
    const english = yaml(`quiz/${newest}`, quizVersionSchema);
    const own = parse(read(`${language}/quiz/${newest}`));
    expect(Object.keys(own.questions)).toEqual(english.questions.map(({ key }) => key));
    for (const { key, ...question } of english.questions) {
      const { spoken, ...texts } = own.questions[key];
      expect(Object.keys(texts)).toEqual(
        ['practice', 'text', 'help', 'anchors', 'action'].filter((name) => name in question),
      );
      expect([key, texts.anchors.length, new Set(texts.anchors).size]).toEqual([key, 5, 5]);
      for (const anchor of texts.anchors) expect(anchor.length, anchor).toBeLessThanOrEqual(90);
      expect([key, figuresIn(texts.action)]).toEqual([key, figuresIn(question.action)]);
      expect([key, spoken]).toEqual([key, expect.stringMatching(/^\p{Ll}/u)]);
    }
    expect(Object.keys(own.areas)).toEqual(
      english.areas.filter(({ skip }) => skip).map(({ key }) => key),
    );
  });
});

import { extname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { caseStudySchema, pageSchema, serviceSchema, standingSchema } from '#collections/pages.ts';
import { areaSchema, quizVersionSchema } from '#collections/quiz.ts';
import { homeSchema, siteSchema } from '#collections/site.ts';
import { toolboxSchema } from '#collections/toolbox.ts';
import { pathOf } from '#lib/content/feeds.ts';
import { match } from '#lib/routes.ts';
import { anchorsOf, fits, folder, names, read } from './content-files.ts';

const site = fits(siteSchema, parse(read('site.yaml')), 'site.yaml');
const home = fits(homeSchema, parse(read('home.yaml')), 'home.yaml');
const areas = fits(areaSchema.array(), parse(read('quiz/areas.yaml')), 'quiz/areas.yaml');
const versions = names('quiz')
  .filter((file) => file.startsWith('version-'))
  .map((file) => fits(quizVersionSchema, parse(read(`quiz/${file}`)), `quiz/${file}`));
const quiz = versions.find(({ number }) => number === 1);
if (!quiz) throw new Error('There is no version 1 of the quiz.');
const areaKeys = areas.map(({ key }) => key);

const tools = folder('toolbox');
const cases = folder('case-studies');
const pages = folder('pages');
const standing = folder('standing');
const services = folder('services');
const articles = folder('blog');
const releases = folder('releases');
const published = [...articles, ...releases, ...folder('events'), ...folder('press')];
const documents = [...tools, ...cases, ...pages, ...standing, ...services, ...published];
const addressOf = (id: string) => pathOf('standing', id);
const slugOf = (address: string) => address.replaceAll('{product}', site.slug);
const everything = names('.', true).filter((path) =>
  ['.yaml', '.md', '.mdx'].includes(extname(path)),
);

describe('An owner takes the quiz', () => {
  test('An owner is asked 32 questions, four about each of eight areas', () => {
    expect(areaKeys).toHaveLength(8);
    expect(areas.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(quiz.questions).toHaveLength(32);
    for (const area of areaKeys) {
      expect(quiz.questions.filter((question) => question.area === area)).toHaveLength(4);
    }
    expect(quiz.areas.map(({ key }) => key)).toEqual(areaKeys);
  });

  test('An owner meets the questions area by area, in the order of the bloom', () => {
    const order = [...new Set(quiz.questions.map(({ area }) => area))];
    expect(order).toEqual(areaKeys);
    const changes = quiz.questions.filter(
      ({ area }, index) => area !== quiz.questions[index - 1]?.area,
    );
    expect(changes).toHaveLength(8);
  });

  test('A visitor is asked one question of each area in the first look', () => {
    const first = quiz.questions.filter(({ first_look }) => first_look);
    expect(first.map(({ area }) => area)).toEqual(areaKeys);
  });

  test('An owner never reads the same answer, question, practice or action twice', () => {
    const once = (values: string[]) => expect(new Set(values).size).toBe(values.length);
    once(quiz.questions.map(({ key }) => key));
    once(quiz.questions.map(({ text }) => text));
    once(quiz.questions.map(({ practice }) => practice));
    once(quiz.questions.map(({ action }) => action));
    once(quiz.questions.flatMap(({ anchors }) => anchors.map((anchor) => anchor.toLowerCase())));
  });

  test('An owner answers in the first person, without a full stop at the end', () => {
    for (const { key, anchors } of quiz.questions) {
      for (const anchor of anchors) {
        expect(anchor, key).not.toMatch(/[.;]$/);
        expect(anchor, key).toMatch(
          /^(Anyone who pays is our|Our|Only one of us|Some pages|Every|[^.]*\b([Ww]e|us|our)\b)/,
        );
      }
    }
  });

  test('An owner can tell a question from a statement and finds its area in its key', () => {
    for (const { key, area, text, action } of quiz.questions) {
      expect(text, key).toMatch(/\?$/);
      expect(action, key).toMatch(/\.$/);
      expect(key).toMatch(new RegExp(`^${area}\\.[a-z]+(-[a-z]+)*$`));
    }
  });

  test('A reader of the home page is told exactly how many questions research stands behind', () => {
    const keys = quiz.questions.map(({ key }) => key);
    for (const key of quiz.research) expect(keys).toContain(key);
    expect(new Set(quiz.research).size).toBe(quiz.research.length);
    expect(home.hero.claim).toContain(`${quiz.research.length} of the ${keys.length} questions`);
  });

  test('An example on the home page has a score that some answers give', () => {
    for (const { area, score } of home.result.scores) {
      const weights = quiz.questions.filter((q) => q.area === area).map(({ weight }) => weight);
      const most = 4 * weights.reduce((sum, weight) => sum + weight, 0);
      let sums = [0];
      for (const weight of weights) {
        sums = sums.flatMap((sum) => [0, 1, 2, 3, 4].map((value) => sum + weight * value));
      }
      expect(sums.map((sum) => Math.round((100 * sum) / most))).toContain(score);
    }
  });
});

describe('An owner opens a tool', () => {
  const items = tools.map(({ data, path }) => fits(toolboxSchema, data, path));

  test('An owner of any level finds a tool in each area', () => {
    for (const area of areaKeys) {
      for (const level of ['starting', 'developing', 'established', 'strong'] as const) {
        const fitting = items.filter((i) => i.area === area && i.levels.includes(level));
        expect(fitting.length, `${area}, ${level}`).toBeGreaterThan(0);
      }
    }
  });

  test('Each tool has its own id and the name of its file', () => {
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    for (const { id, data } of tools) expect(data.slug).toBe(id);
    for (const { id } of items) expect(versions.map((version) => version.id)).not.toContain(id);
  });

  test('An owner reads a worked example with figures, in headings below the title', () => {
    for (const { path, body } of tools) {
      expect(body, path).toMatch(/^## /m);
      expect(body, path).not.toMatch(/^# /m);
      expect(body.split(/\s+/).length, path).toBeGreaterThan(300);
      expect(body, path).not.toMatch(/<[a-z]/);
    }
  });
});

describe('A visitor reads', () => {
  test('Each area has its case study, with a practice, a tool and figures that exist', () => {
    expect(cases.map(({ id }) => id).sort()).toEqual([...areaKeys].sort());
    for (const { id, data, path, body } of cases) {
      const study = fits(caseStudySchema, data, path);
      expect(study.area).toBe(id);
      const question = quiz.questions.find(({ key }) => key === study.practice);
      expect(question?.area, path).toBe(id);
      expect(tools.find((tool) => tool.id === study.tool)?.data.area, path).toBe(id);
      const length = body.split(/\s+/).length;
      expect(length, path).toBeGreaterThan(600);
      expect(length, path).toBeLessThan(1050);
    }
  });

  test('A page, a service and a standing page say what they need to', () => {
    for (const { data, path } of pages) fits(pageSchema, data, path);
    for (const { data, path } of standing) fits(standingSchema, data, path);
    const offers = services.map(({ data, path }) => fits(serviceSchema, data, path));
    expect(new Set(offers.map(({ position }) => position)).size).toBe(offers.length);
    for (const { id } of standing) {
      expect(match(addressOf(id))?.route.guard, id).toBe('none');
    }
  });

  test('Every link on this site leads somewhere', () => {
    const topics = ['general', 'coaching', 'pricing', 'event', 'press', 'accessibility', 'privacy'];
    const has = (files: { id: string; body: string }[], id: string, anchor?: string) =>
      files.some((file) => file.id === id && (!anchor || anchorsOf(file.body).includes(anchor)));
    const exists = (href: string) => {
      const [place = '', anchor] = href.split('#');
      const [path = '', query] = place.split('?');
      const found = match(path);
      if (!found) return false;
      if (query) return path === '/contact' && topics.includes(query.replace('topic=', ''));
      const { slug = '', day = '' } = found.params;
      switch (found.route.path) {
        case '/case-studies/[slug]':
          return has(cases, slug, anchor);
        case '/pages/[slug]':
          return has(pages, slug, anchor);
        case '/blog/[slug]':
          return articles.some(({ id, data }) => slugOf(data.address ?? id) === slug);
        case '/dashboard/toolbox':
          return !anchor || has(tools, anchor);
      }
      if (path.startsWith('/releases/')) return has(releases, slug || day, anchor);
      return (
        !anchor || standing.some(({ id }) => addressOf(id) === path && has(standing, id, anchor))
      );
    };
    const links = everything.flatMap((path) =>
      [...read(path).matchAll(/(?:\]\(|href[=:] *["']?)(\/[^)"'\s,}]*)/g)].map((found) => ({
        path,
        href: found[1] as string,
      })),
    );
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter(({ href }) => !exists(href))).toEqual([]);
  });

  test('Nobody is told to unlock, empower or travel, and nobody is shouted at', () => {
    for (const path of everything) {
      expect(read(path), path).not.toMatch(/\b(unlock|empower|journey|leverage|seamless)/i);
      expect(read(path), path).not.toMatch(/!/);
      expect(read(path), path).not.toMatch(/lorem|TODO|TBD/);
    }
  });

  test('A column of figures that is cut by a comma is noticed', () => {
    const broken = parse('{ label: Cash, before: $1, after: $1,900 }');
    const study = { ...cases[0]?.data, figures: [broken] };
    expect(() => fits(caseStudySchema, study, 'a case')).toThrow(/Unrecognized key/);
  });

  test('An organization that runs it under its own name finds no other name in the words', () => {
    for (const { body, path } of documents) {
      const own = body.replaceAll('trellis-session', '');
      expect(own, path).not.toContain(site.organisation);
      expect(own, path).not.toMatch(new RegExp(`\\b${site.product}\\b`));
      expect(own, path).not.toContain('.example');
    }
  });
});

describe('A writer makes a mistake', () => {
  const question = () => structuredClone(quiz.questions[0]) as Record<string, unknown>;
  const complaint = (change: Record<string, unknown>) => {
    const result = quizVersionSchema.shape.questions.element.safeParse({
      ...question(),
      ...change,
    });
    return result.error?.issues[0]?.message;
  };

  test('A writer who forgets an answer is told how many are needed', () => {
    expect(complaint({ anchors: ['We do', 'We do not'] })).toBe(
      'Write five answers, from not done to measured and improved.',
    );
  });

  test('A writer who names an unknown area is told which there are', () => {
    expect(complaint({ area: 'astrology' })).toMatch(/^Name one of the eight areas: web-design/);
  });

  test('A writer whose question is too long is told how long it may be', () => {
    expect(complaint({ text: `${'a'.repeat(90)}?` })).toBe('Keep this to 90 characters.');
  });

  test('A writer who leaves words out is told so, and a date must be one', () => {
    expect(complaint({ practice: ' ' })).toBe('Write something here.');
    const item = { ...tools[0]?.data, reviewed_on: '16 November' };
    expect(toolboxSchema.safeParse(item).error?.issues[0]?.message).toBe(
      'Write the day as YYYY-MM-DD in quotation marks.',
    );
  });
});

import { extname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { caseStudySchema, pageSchema, serviceSchema, standingSchema } from '#collections/pages.ts';
import { areaSchema, quizVersionSchema } from '#collections/quiz.ts';
import { homeSchema, siteSchema } from '#collections/site.ts';
import { toolboxSchema } from '#collections/toolbox.ts';
import { PRACTICES, practiceTroubles } from '#domain/practice.ts';
import { pathOf } from '#lib/content/feeds.ts';
import { match } from '#lib/routing/routes.ts';
import { TOPICS } from '#lib/schemas/contact.ts';
import { calculators } from '#ui/calculators/definitions.ts';
import { checked, fits, folder, names, open, read, yaml } from './content-files.ts';

const site = yaml('site.yaml', siteSchema);
const home = yaml('home.yaml', homeSchema);
const areas = yaml('quiz/areas.yaml', areaSchema.array());
const versions = names('quiz')
  .filter((file) => file.startsWith('version-'))
  .map((file) => yaml(`quiz/${file}`, quizVersionSchema));
/** The newest version, which the site asks. */
const quiz = versions.toSorted((a, b) => b.number - a.number)[0];
if (!quiz) throw new Error('There is no version of the quiz.');
/** An amount as texts print it. */
const wholeOrCents = (dollars: number) =>
  dollars.toLocaleString('en-US', { minimumFractionDigits: Number.isInteger(dollars) ? 0 : 2 });
const areaKeys = areas.map(({ key }) => key);

const tools = checked('toolbox', toolboxSchema);
const cases = checked('case-studies', caseStudySchema);
const standing = checked('standing', standingSchema);
const documents = ['blog', 'events', 'pages', 'press', 'releases', 'services']
  .flatMap(folder)
  .concat(tools, cases, standing);
const everything = names('.', true).filter((path) =>
  ['.yaml', '.md', '.mdx'].includes(extname(path)),
);

describe.each(versions)('An owner takes version $number of the quiz', (quiz) => {
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
});

describe('An owner takes the quiz that the site asks', () => {
  test('An owner who works alone skips people management, and only that', () => {
    const skipping = quiz.areas.filter(({ skip }) => skip);
    expect(skipping.map(({ key }) => key)).toEqual(['people-management']);
    for (const { skip } of skipping) expect(skip?.question).toMatch(/\?$/);
  });

  test('An answer is compared with one of an earlier version only where 1 and 2 mean the same', () => {
    const first = versions.find(({ number }) => number === 1);
    const same = quiz.questions.flatMap(({ key, meaning = 1 }) => {
      const before = first?.questions.find((each) => each.key === key);
      return before && (before.meaning ?? 1) === meaning ? [`${key}`] : [];
    });
    // Decision record 105; /pages/why-these-questions names them.
    expect(same).toEqual(['custom-research.known-segment', 'growth-strategy.written-goals']);
    expect(read('pages/why-these-questions.mdx')).toContain(
      'goals, and knowing your best customers',
    );
  });

  test('The page about the questions names what was added and dropped', () => {
    const first = versions.find(({ number }) => number === 1);
    const rows = [
      ...read('pages/why-these-questions.mdx').matchAll(
        /^\| ([A-Z][^|]*) \| ([^|]*) \| ([^|]*) \|$/gm,
      ),
    ].slice(1);
    const practicesOf = (own?: typeof quiz, other?: typeof quiz) =>
      own?.questions
        .filter(({ key }) => !other?.questions.some((each) => each.key === key))
        .map(({ practice }) => practice);
    expect(rows.map(([, , added]) => added)).toEqual(practicesOf(quiz, first));
    expect(rows.map(([, , , gone]) => gone)).toEqual(practicesOf(first, quiz));
  });

  test('A reader of the home page is told exactly how many questions research stands behind', () => {
    const keys = quiz.questions.map(({ key }) => key);
    for (const key of quiz.research) expect(keys).toContain(key);
    expect(new Set(quiz.research).size).toBe(quiz.research.length);
    expect(home.hero.claim).toContain(`${quiz.research.length} of the ${keys.length} questions`);
  });
});

describe('An owner opens a tool', () => {
  test('An owner finds one tool for each practice, in its area', () => {
    expect(practiceTroubles(tools.map(({ data }) => data))).toEqual([]);
  });

  test('A practice without a tool, with two or in another area is named in a sentence', () => {
    const each = PRACTICES.map((practice) => ({
      slug: practice.replace('.', '-'),
      area: practice.split('.')[0] ?? '',
      practice: `${practice}`,
    }));
    const [first, second, ...others] = each as [(typeof each)[0], (typeof each)[0]];
    expect(practiceTroubles(each)).toEqual([]);
    expect(practiceTroubles([first, ...others, { ...first, slug: 'other', area: 'x' }])).toEqual([
      'web-design-findable-and-accurate and other both do web-design.findable-and-accurate. Keep one of them, or give the other its own practice.',
      'No tool does web-design.works-for-everyone. Write one in content/toolbox.',
      'other is in x, but it does web-design.findable-and-accurate.',
    ]);
    expect(second.slug).toBe('web-design-works-for-everyone');
  });

  test('The practices are those that the versions of the quiz ask about', () => {
    const asked = versions.flatMap(({ questions }) => questions.map(({ key }) => `${key}`));
    expect([...new Set(asked)].sort()).toEqual([...PRACTICES].sort());
  });

  test('Each tool has its own id and the name of its file', () => {
    const ids = [...tools.map(({ data }) => data.id), ...versions.map(({ id }) => id)];
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, data } of tools) expect(data.slug).toBe(id);
  });

  test('A calculator starts with the figures of the worked example', () => {
    const calculating = tools.filter(({ data }) => data.calculator);
    expect(calculating).toHaveLength(3);
    for (const { data, body } of calculating) {
      const { calculator = 'price', example = {} } = data;
      const fields = calculators[calculator].fields.map(({ name }) => name);
      expect(Object.keys(example), data.slug).toEqual(fields);
      // Shares and costs of a part are worked out in the text; the other figures stand there.
      const printed = Object.entries(example).filter(([name]) =>
        /^(fixed|price|cash|income|costs|rate)$/.test(name),
      );
      for (const [, figure] of printed) expect(body).toContain(wholeOrCents(figure));
    }
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
    for (const area of areaKeys) {
      expect(cases.find(({ id }) => id === area)?.data.area, area).toBe(area);
    }
    for (const { data, path, body } of cases) {
      const question = quiz.questions.find(({ key }) => key === data.practice);
      expect(question?.area, path).toBe(data.area);
      expect(
        tools.map((tool) => tool.id),
        path,
      ).toContain(data.tool);
      const length = body.split(/\s+/).length;
      expect(length, path).toBeGreaterThan(600);
      expect(length, path).toBeLessThan(1050);
    }
  });

  test('The list of cases says how many there are', () => {
    const { data } = open('standing/case-studies.mdx');
    const inWords = ['Eight', 'Nine', 'Ten', 'Eleven', 'Twelve', 'Thirteen'][cases.length - 8];
    expect(data.description).toMatch(new RegExp(`^${inWords} businesses`));
    expect(data.lead).toMatch(new RegExp(`^${inWords} businesses`));
  });

  test('A page and a service say what they need to, and a standing page is for everybody', () => {
    checked('pages', pageSchema);
    const places = checked('services', serviceSchema).map(({ data }) => data.position);
    expect(new Set(places).size).toBe(places.length);
    for (const { id } of standing) {
      expect(match(pathOf('standing', id))?.route.guard, id).toBe('none');
    }
  });

  test('A reader of the worked example is shown the tool for its weakest practice', () => {
    const { body } = open('blog/introducing-product.mdx');
    const answers = quiz.questions.flatMap(({ key, practice, weight }, place) => {
      const row = body.match(new RegExp(`^\\| ${practice} \\| (\\d) \\| ([\\d.]+) \\|`, 'm'));
      return row ? [{ key, value: Number(row[1]), weight, place, shown: Number(row[2]) }] : [];
    });
    expect(answers.map(({ key }) => key.split('.')[0])).toEqual(
      Array(4).fill('operations-workflows'),
    );
    for (const { weight, shown } of answers) expect(shown).toBe(weight);
    const [weakest] = answers.toSorted(
      (a, b) => a.value - b.value || b.weight - a.weight || a.place - b.place,
    );
    const tool = tools.find(({ data }) => data.practice === weakest?.key);
    expect(body).toContain(
      `The tool that goes with it is the [${tool?.data.title.toLowerCase()}](/toolbox/${tool?.id})`,
    );
    const question = quiz.questions.find(({ key }) => key === weakest?.key);
    expect(body.replaceAll('"', '')).toContain(question?.action.trim());
  });

  // tests/site checks all other links, in the built pages.
  test('A link names a tool or a topic of the contact form that there is, and a tool links to pages', () => {
    const links = everything.flatMap((path) =>
      [...read(path).matchAll(/(?:\]\(|href[=:] *["']?)(\/[^)"'\s,}]*)/g)].map(([, href = '']) => {
        const { pathname, searchParams } = new URL(href, site.url);
        return { path, pathname, topic: searchParams.get('topic') };
      }),
    );
    expect(links.length).toBeGreaterThan(10);
    const slugs = tools.map(({ id }) => id);
    for (const { path, pathname, topic } of links) {
      if (path.startsWith('toolbox/'))
        expect(match(pathname), `${path} ${pathname}`).not.toBeNull();
      if (topic !== null) expect(Object.keys(TOPICS), path).toContain(topic);
      const [, tool] = /^\/toolbox\/(.+)$/.exec(pathname) ?? [];
      if (tool) expect(slugs, path).toContain(tool);
      // Tools are read without an account; only the pages around an account lead there.
      expect(pathname, path).not.toBe('/dashboard/toolbox');
    }
  });

  test('Nobody is told to unlock, empower or travel, and nobody is shouted at', () => {
    for (const path of everything) {
      expect(read(path), path).not.toMatch(/\b(unlock|empower|journey|leverage|seamless)/i);
      expect(read(path), path).not.toMatch(/!/);
      expect(read(path), path).not.toMatch(/lorem|TODO|TBD/);
    }
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
  const question = quizVersionSchema.shape.questions.element;
  const given = { ...quiz.questions[0] };
  test.each([
    ['forgets an answer', question, { ...given, anchors: ['We do'] }, 'Write five answers'],
    ['names no area', question, { ...given, area: 'x' }, 'Name one of the eight areas: web-design'],
    [
      'writes too much',
      question,
      { ...given, text: 'a'.repeat(91) },
      'Keep this to 90 characters.',
    ],
    ['leaves words out', question, { ...given, practice: ' ' }, 'Write something here.'],
    [
      'writes no date',
      toolboxSchema,
      { ...tools[0]?.data, reviewed_on: '16 May' },
      'Write the day',
    ],
    [
      'offers a tool without a file and without a reason',
      toolboxSchema,
      { ...tools[0]?.data, files: [] },
      'Name the files it can be downloaded as',
    ],
    [
      'forgets the quotation marks of an amount',
      caseStudySchema,
      { ...cases[0]?.data, figures: [parse('{ label: Cash, before: $1, after: $1,900 }')] },
      'Unrecognized key',
    ],
  ])('Whoever %s is told so', (_, schema, data, sentence) => {
    expect(() => fits(schema, data, 'a file')).toThrow(sentence);
  });
});

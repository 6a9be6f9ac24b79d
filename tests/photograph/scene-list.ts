/** The scenes of the home page: parts of real screens, with the demo's people and figures. */
import type { Locator, Page } from '@playwright/test';
import { DEFAULT_LANGUAGE, type Language, TRANSLATIONS } from '#domain/language.ts';
import { openQuestion, openResults, signIn } from './camera.ts';

export interface Scene {
  name: string;
  /** The viewport's width in CSS pixels, which decides how wide the part is. */
  width: number;
  /** At most this much of its height, in CSS pixels: the rest says nothing new. */
  most?: number;
  /** Opens the screen and finds the part to show. */
  open: (page: Page, site: string) => Promise<Locator>;
  /** What it shows comes from these: files, and folders with everything in them. */
  sources: readonly string[];
}

/** The colors and sizes of every screen. */
const LOOK = ['src/styles/tokens.css'];

/** Where the texts of the quiz and its results come from. */
const textsOf = (language: Language) =>
  language === DEFAULT_LANGUAGE
    ? ['content/quiz/version-2.yaml']
    : [`content/${language}/quiz`, `content/${language}/words.yaml`];

/** The scenes of the quiz and its results, which are in each language of the site. */
function quizScenes(language: Language): Scene[] {
  const nameOf = (name: string) => (language === DEFAULT_LANGUAGE ? name : `${name}-${language}`);
  return [
    {
      name: nameOf('question'),
      width: 440,
      most: 520,
      open: async (page, site) => {
        await openQuestion(page, site, language);
        // With the space around it: on a phone, the card has no frame.
        return page.locator('main');
      },
      sources: [
        ...LOOK,
        'src/features/quiz/Question.tsx',
        'src/features/quiz/Quiz.tsx',
        'src/ui/forms/RadioCard.tsx',
        ...textsOf(language),
      ],
    },
    {
      name: nameOf('result'),
      width: 440,
      most: 830,
      open: async (page, site) => {
        await openResults(page, site, language);
        return page.locator('main .card', { has: page.getByRole('table') }).first();
      },
      sources: [
        ...LOOK,
        'src/features/skills/ResultsScreen.tsx',
        'src/features/skills/OverallScore.tsx',
        'src/ui/charts/Bloom.tsx',
        'src/ui/charts/BloomTable.tsx',
        'src/backend/local/demo/owners.ts',
        ...(language === DEFAULT_LANGUAGE ? [] : textsOf(language)),
      ],
    },
    {
      name: nameOf('next-step'),
      width: 440,
      most: 536,
      open: async (page, site) => {
        await openResults(page, site, language);
        return page.locator('#recommended li.card, [aria-labelledby=recommended] li.card').first();
      },
      sources: [
        ...LOOK,
        'src/features/skills/RecommendationsScreen.tsx',
        'src/features/skills/rank.ts',
        ...textsOf(language),
      ],
    },
  ];
}

export const scenes: readonly Scene[] = [
  ...quizScenes(DEFAULT_LANGUAGE),
  {
    name: 'session',
    width: 500,
    most: 545,
    open: async (page, site) => {
      await signIn(page, site, 'owner');
      await page.goto(`${site}/dashboard/coaching`);
      return page.locator('section.card', {
        has: page.getByRole('heading', { name: 'Sessions', exact: true }),
      });
    },
    sources: [
      ...LOOK,
      'src/features/coaching/owner/Sessions.tsx',
      'src/features/coaching/SessionsLeft.tsx',
      'src/backend/local/demo/clients.ts',
    ],
  },
  {
    name: 'sponsor-report',
    width: 520,
    open: async (page, site) => {
      await signIn(page, site, 'sponsor');
      await page.goto(`${site}/dashboard/programs`);
      await page.locator('main a[href*="/dashboard/programs/"]').first().click();
      return page.locator('section', {
        has: page.getByRole('heading', { name: 'Totals now', exact: true }),
      });
    },
    sources: [
      ...LOOK,
      'src/features/programs/Figures.tsx',
      'src/features/programs/Reports.tsx',
      'src/features/programs/figure-rows.ts',
      'tests/photograph/rehearse.ts',
    ],
  },
  ...TRANSLATIONS.flatMap(quizScenes),
];

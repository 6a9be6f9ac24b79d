import type { Locator, Page } from '@playwright/test';
import { CUT, expect, test } from '../support/harness.ts';
import { heading, nextStep, quizIsLive, startLink } from '../support/quiz-steps.ts';

/** A small phone. Its browser reports touch, so the letters of shortcuts are hidden. */
test.use({
  changesDemo: false,
  expectedConsole: CUT,
  viewport: { width: 360, height: 640 },
  hasTouch: true,
  isMobile: true,
});

const FIRST_LOOK = '/pages/business-skills-quiz';
const anchors = (page: Page) => page.locator('#quiz input[name="answer"]');

/** Runs in the page: where elements are on the screen, in px. */
const boxesOf = (elements: Element[]) =>
  elements.map((each) => {
    const { top, bottom, width, height } = each.getBoundingClientRect();
    return { top, bottom, width, height };
  });

/** Everything that's needed to answer the question is on the screen, and large enough to hit. */
async function fitsTheScreen(page: Page): Promise<void> {
  const title = await heading(page).textContent();
  await expect(page.locator('#quiz label')).toHaveCount(6);
  const quiz = page.locator('#quiz');
  const [parts, cards] = await Promise.all([
    quiz
      .locator('h1, [role="progressbar"], label, button:is(:text-is("Back"), :text-is("Atrás"))')
      .evaluateAll(boxesOf),
    quiz.locator('label').evaluateAll(boxesOf),
  ]);
  expect(parts).toHaveLength(9);
  for (const { top, bottom } of parts) {
    expect.soft(top, `${title}: top`).toBeGreaterThanOrEqual(0);
    expect.soft(bottom, `${title}: bottom`).toBeLessThanOrEqual(640);
  }
  for (const card of cards) expect.soft(card.height, `${title}: card`).toBeGreaterThanOrEqual(44);
}

for (const [language, start, all] of [
  ['en', 'Start', 'All questions'],
  ['es', 'Empezar', 'Todas las preguntas'],
] as const) {
  test(`Every question of the full quiz fits a small phone, in “${language}”`, async ({ page }) => {
    await page.goto(`/dashboard/skills/quiz?language=${language}`);
    await page.locator('#quiz[data-live]').waitFor();
    await page.getByRole('link', { name: start, exact: true }).tap();
    await page.getByText(all).tap();
    const steps = page
      .getByRole('navigation', { name: all })
      .getByRole('button', { name: /^(Question|Pregunta) / });
    await expect(steps).toHaveCount(32);
    const asked = new Set<string>();
    for (let step = 0; step < 32; step += 1) {
      const before = (await heading(page).textContent()) ?? '';
      // The first one is shown already; a click in the page doesn't scroll to the map each time.
      await steps.nth(step).evaluate((button: HTMLElement) => button.click());
      if (step > 0) await nextStep(page, before);
      await page.evaluate(() => scrollTo(0, 0));
      await fitsTheScreen(page);
      asked.add((await heading(page).textContent()) ?? '');
    }
    expect(asked.size).toBe(32);
  });
}

test('On a phone, an answer is one tap, and so is how sure one is, and going on', async ({
  page,
}) => {
  await page.goto('/dashboard/skills/quiz');
  await quizIsLive(page);
  const tap = async (element: Locator) => {
    const before = (await heading(page).textContent()) ?? '';
    await element.tap();
    await expect(heading(page)).not.toHaveText(before);
    await expect(heading(page)).toBeFocused();
  };
  const [card, button] = [page.locator('#quiz label'), page.locator('#quiz').getByRole('button')];
  for (let question = 1; question <= 4; question += 1) await tap(card.nth(question));
  await expect(heading(page)).toHaveText('How confident are you in these answers?');
  await tap(card.nth(3));
  await tap(button.filter({ hasText: 'Continue' }));
  await expect(page.getByText('1 of 4', { exact: true })).toBeVisible();
});

test('A first look takes at most ten taps from the home page, and each question fits', async ({
  page,
}) => {
  let taps = 0;
  const tap = async (element: Locator) => {
    taps += 1;
    await element.tap();
  };
  await page.goto('/');
  await tap(page.getByRole('link', { name: 'Start with eight questions' }).first());
  await page.waitForURL(`**${FIRST_LOOK}`);
  await page.locator('#quiz[data-live]').waitFor();
  await tap(startLink(page));
  for (let question = 1; question <= 8; question += 1) {
    await expect(page.getByText(`${question} of 8`, { exact: true })).toBeVisible();
    await fitsTheScreen(page);
    await tap(page.locator('#quiz label').nth(question % 5));
  }
  await expect(heading(page)).toHaveText('A sketch of your eight skills');
  await expect(heading(page)).toBeFocused();
  await expect(page.getByText('What to work on first')).toBeVisible();
  expect(taps).toBeLessThanOrEqual(10);
});

test('On a phone, going back shows the given answer, and tapping it again goes on', async ({
  page,
}) => {
  await page.goto('/dashboard/skills/quiz');
  await quizIsLive(page);
  await expect(page.getByText('E', { exact: true })).toBeHidden();
  const first = (await heading(page).textContent()) ?? '';
  await page.locator('#quiz label').nth(2).tap();
  await expect(anchors(page).nth(2)).toBeChecked();
  await expect(page.getByText('2 of 4')).toBeVisible();
  await page.getByRole('button', { name: 'Back', exact: true }).tap();
  await expect(heading(page)).toHaveText(first);
  await expect(anchors(page).nth(2)).toBeChecked();
  await page.locator('#quiz label').nth(2).tap();
  await expect(page.getByText('2 of 4')).toBeVisible();
});

test('The cells of the coaching survey are large enough to hit', async ({ page }) => {
  for (const width of [320, 360]) {
    await page.setViewportSize({ width, height: 640 });
    for (const address of ['/engagement-survey', `/engagement-survey/${'0'.repeat(64)}`]) {
      await page.goto(address);
      const cells = page.locator('main label:has(input[type="radio"])');
      await expect(cells).toHaveCount(10 * 5 + 11);
      for (const box of await cells.evaluateAll(boxesOf)) {
        expect.soft(box.width, `${address} at ${width}`).toBeGreaterThanOrEqual(44);
        expect.soft(box.height, `${address} at ${width}`).toBeGreaterThanOrEqual(44);
      }
    }
  }
});

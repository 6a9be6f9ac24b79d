import type { Page } from '@playwright/test';
import {
  confirmFromMail,
  fillRegistration,
  newAddress,
  useAnswers,
} from '../support/account-steps.ts';
import { checkBothThemes, checkWidth } from '../support/axe.ts';
import { expect, test } from '../support/harness.ts';
import { ATTEMPT, heading, nextStep } from '../support/quiz-steps.ts';

test.use({ changesDemo: false, viewport: { width: 360, height: 640 } });

/** Words that nothing in Spanish has. */
const ENGLISH = /\b(the|your|you|answers?|questions?|skills?|next|back)\b/i;

/** Reads a screen with axe in both themes, and that it's in Spanish. */
async function readInSpanish(page: Page): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');
  await expect(page).toHaveTitle(/[a-z]/);
  await expect(page.locator('#quiz')).not.toContainText(ENGLISH);
  await checkBothThemes(page);
  await checkWidth(page);
}

/** Presses a key that answers, and waits for the next step. */
async function answer(page: Page, key: string): Promise<void> {
  const before = (await heading(page).textContent()) ?? '';
  await page.keyboard.press(key);
  await nextStep(page, before);
}

/** Presses a button that leads to the next step. */
async function go(page: Page, name: string): Promise<void> {
  const before = (await heading(page).textContent()) ?? '';
  await page.locator('#quiz').getByRole('button', { name, exact: true }).click();
  await nextStep(page, before);
}

test('An owner who reads Spanish takes the first look, then the quiz, in Spanish', async ({
  page,
  site,
}) => {
  await page.goto('/es');
  await page.locator('main a[href="/es/pages/business-skills-quiz"]').first().click();
  await page.locator('#quiz[data-live]').waitFor();
  await expect(page).toHaveTitle(/^Un primer vistazo a tus habilidades de negocio/);
  await readInSpanish(page);
  await page.getByRole('link', { name: 'Empezar', exact: true }).click();
  await expect(heading(page)).toBeFocused();
  await readInSpanish(page);
  await page.getByText('Todas las preguntas').click();
  await expect(page.getByRole('navigation', { name: 'Todas las preguntas' })).toBeVisible();
  await readInSpanish(page);
  await page.getByRole('button', { name: 'Pregunta 1', exact: false }).click();
  for (const key of 'abcdabcx') await answer(page, key);
  await expect(heading(page)).toHaveText('Un primer panorama de tus ocho habilidades');
  await readInSpanish(page);
  // The tool's name is in Spanish, and the text after it says that the tool isn't.
  const tool = page.locator('#quiz p', { has: page.locator('a[href^="/toolbox/"]') });
  await expect(tool).toContainText(' en inglés, ');

  // The account is in the language of the first look.
  await page.getByRole('link', { name: /^Crear una cuenta/ }).click();
  await expect(page).toHaveURL(/\/register\?language=es$/);
  const help = page.getByText(/^Esta página está en inglés\. Escribe tu nombre/);
  await expect(help).toHaveAttribute('lang', 'es');
  await checkBothThemes(page);
  const email = newAddress('spanish');
  await fillRegistration(page, email);
  await confirmFromMail(page, site, email);
  await useAnswers(page, /^Use the answers from this browser\?$/);
  await page.waitForURL(ATTEMPT);
  await expect(heading(page)).toHaveText('Tus resultados');
  const [profile] = await site.sql`
    select locale from public.profiles p join auth.users u on u.id = p.user_id where u.email = ${email}`;
  expect(profile?.locale).toBe('es');

  // One of the eight skills doesn't apply to them.
  const results = page.getByRole('main');
  await expect(results).toContainText('En primer lugar de siete: ');
  await expect(results).toContainText('Elegiste: «');

  // The form for the business below them is too, with its choices and what's missing.
  const business = page.getByRole('region', { name: '¿Cómo se llama tu negocio?' });
  await business.getByLabel('Nombre del negocio').scrollIntoViewIfNeeded();
  await business.getByLabel('Giro').selectOption('Comercio y reparaciones');
  await business.getByLabel('Etapa').selectOption('En crecimiento');
  await business.getByRole('button', { name: 'Guardar y continuar' }).click();
  await expect(business.getByLabel('Nombre del negocio')).toHaveAccessibleDescription(
    'Ponle un nombre al negocio.',
  );
  await expect(results).not.toContainText(ENGLISH);

  // The rest of the quiz is as well, whichever device it's opened on.
  await page.getByRole('link', { name: /^Responder las otras \d+ preguntas$/ }).click();
  await page.waitForURL(ATTEMPT);
  await page.locator('#quiz[data-live]').waitFor();
  await expect(page).toHaveTitle(/^Cuestionario de habilidades de negocio/);
  await readInSpanish(page);
  for (const key of 'bcd') await answer(page, key);
  await expect(heading(page)).toHaveText('¿Cuánta confianza tienes en estas respuestas?');
  await readInSpanish(page);
  await answer(page, '3');
  await expect(heading(page)).toHaveText('Diseño web: terminada');
  await readInSpanish(page);
  await go(page, 'Continuar');
  await page.getByText('Todas las preguntas').click();
  await page.getByRole('button', { name: /^Sí o no, Manejo de personal/ }).click();
  await expect(heading(page)).toHaveText('¿Trabaja alguien contigo?');
  await readInSpanish(page);
  await answer(page, 'n');
  const review = page.getByRole('button', { name: 'Terminar y ver tus resultados' });
  for (let step = 0; step < 60 && !(await review.isVisible()); step += 1) {
    await go(
      page,
      (await page.getByRole('button', { name: 'Continuar' }).isVisible())
        ? 'Continuar'
        : 'Siguiente',
    );
  }
  await readInSpanish(page);
  await review.click();
  await expect(heading(page)).toHaveText('Tus habilidades en flor');
  await readInSpanish(page);
  await page.getByRole('button', { name: 'Ver tus resultados' }).click();
  await expect(heading(page)).toHaveText('Tus resultados');
});

test('A visitor goes on with the full quiz in Spanish', async ({ page }) => {
  await page.goto('/dashboard/skills/quiz?language=es');
  await page.locator('#quiz[data-live]').waitFor();
  await expect(heading(page)).toHaveText('Cuestionario de habilidades de negocio');
  await readInSpanish(page);
  await page.getByRole('link', { name: 'Empezar', exact: true }).click();
  await readInSpanish(page);
});

test('Each first look leads to the other language', async ({ page }) => {
  await page.goto('/pages/business-skills-quiz');
  await page.getByRole('link', { name: 'Español' }).click();
  await expect(page).toHaveURL(/\/es\/pages\/business-skills-quiz$/);
  await page.getByRole('link', { name: 'English' }).click();
  await expect(page).toHaveURL(/\/pages\/business-skills-quiz$/);
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
});

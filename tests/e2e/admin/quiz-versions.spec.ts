import type { Page } from '@playwright/test';
import { createMember, newAddress } from '../support/account-steps.ts';
import { checkAccessibility, checkBothThemes } from '../support/axe.ts';
import { CUT, expect, goOffline, type Site, test } from '../support/harness.ts';
import { quizIsLive } from '../support/quiz-steps.ts';

test.use({ as: 'admin', changesDemo: true, expectedConsole: CUT });

const FIRST = 'web-design.findable-and-accurate';

const saved = (page: Page, words: string) =>
  page.waitForResponse(
    (answer) =>
      /\/rpc\/save_quiz_(question|settings)$/.test(answer.url()) &&
      answer.request().postData()?.includes(words) === true &&
      answer.ok(),
  );

/** Opens the published version's draft, discarding one that an earlier test left. */
async function beginDraft(page: Page, site: Site) {
  await site.sql`
    update public.quiz_versions set discarded_at = now() where state = 'draft' and discarded_at is null`;
  await page.goto('/admin/quiz');
  await page.getByRole('button', { name: 'Draft a new version' }).click();
  await page.waitForURL(/\/admin\/quiz\/[0-9a-f-]{36}$/);
  const id = page.url().split('/').at(-1) ?? '';
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Version \d+ of the quiz$/);
  return id;
}

const open = (page: Page, practice: string) =>
  page.getByRole('button', { name: new RegExp(`^${practice}`) }).click();

test('An admin drafts, compares and publishes a version while an owner is in the middle of the one before', async ({
  page,
  site,
  elsewhere,
}) => {
  const member = await createMember(site.sql, {
    email: newAddress('middle'),
    fullName: 'Mia Middle',
    businessName: 'Middle Mill',
  });
  const owner = await elsewhere(member.email);
  await owner.goto('/dashboard/skills/quiz');
  await owner
    .getByRole('button', { name: /^Start/ })
    .first()
    .click();
  await owner.waitForURL(/\/dashboard\/skills\/quiz\/[0-9a-f-]{36}$/);
  const asked = await owner.getByRole('heading', { level: 1 }).textContent();
  const answered = owner.waitForResponse((answer) => answer.url().includes('/rest/v1/answers'));
  await owner.getByRole('radio').nth(2).check();
  await answered;

  await beginDraft(page, site);
  await expect(page.getByText(/^Nothing is different from version \d+\.$/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Publish' })).toBeDisabled();
  await open(page, 'Findable and accurate online');
  await checkBothThemes(page);
  const words = `Do people find the right facts about you? ${test.info().repeatEachIndex}`;
  const first = saved(page, words);
  await page.getByLabel('Question', { exact: true }).fill(words);
  await first;
  // What's wrong leads to its field.
  await page.getByRole('link', { name: 'Say whether the question still means the same.' }).click();
  const same = page.getByRole('radio', { name: /^Yes, it’s only worded better/ });
  await expect(same).toBeFocused();
  await checkAccessibility(page);
  const second = saved(page, '"new"');
  await page.getByRole('radio', { name: /^No, it asks something else/ }).check();
  await second;
  await expect(page.getByText('Everything’s ready.')).toBeVisible();

  await page.getByRole('link', { name: 'Changes' }).click();
  await expect(page.getByText('1 question changed.')).toBeVisible();
  await expect(page.getByRole('main')).toContainText(words);
  await checkBothThemes(page);

  await page.getByRole('link', { name: 'Preview' }).click();
  const quiz = page.locator('#quiz');
  await expect(quiz.getByRole('heading', { level: 1 })).toHaveText(words);
  await quiz.getByRole('radio').first().check();
  await checkBothThemes(page);
  await page.getByRole('link', { name: 'Questions' }).click();

  await page.getByRole('button', { name: 'Publish' }).click();
  const dialog = page.getByRole('dialog', { name: /^Publish version \d+\?$/ });
  await expect(dialog).toContainText(/in the middle of it and can finish it as it is/);
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Publish it' }).click();
  await expect(dialog.getByText('Say why, for the audit log.')).toBeVisible();
  await dialog.getByLabel('Reason').fill('Owners misread the first question');
  await dialog.getByRole('button', { name: 'Publish it' }).click();
  await expect(page.getByRole('main')).toContainText(/Published on .+, from version \d+/);
  await expect(page.getByRole('textbox')).toHaveCount(0);
  await page.getByRole('link', { name: 'Statistics' }).click();
  await expect(page.getByText('5 more to go')).toBeVisible();
  await checkBothThemes(page);

  await page.goto('/admin/quiz');
  const versions = page.getByRole('region', { name: 'Versions' });
  await expect(versions.getByRole('listitem').first()).toContainText(
    'Owners misread the first question',
  );
  await expect(versions.getByRole('listitem').nth(1)).toContainText('Retired');
  await checkBothThemes(page);

  // The owner goes on with the version they began, and finishes it.
  await owner.reload();
  await quizIsLive(owner);
  await owner.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(owner.getByRole('heading', { level: 1 })).toHaveText(asked ?? '');
  await expect(owner.getByRole('radio').nth(2)).toBeChecked();
  const [attempt] = await site.sql`
    select v.state, t.state as attempt from public.attempts t
    join public.quiz_versions v on v.id = t.version_id where t.user_id = ${member.id}`;
  expect(attempt).toEqual({ state: 'retired', attempt: 'in_progress' });

  // A visitor's first look asks the new question.
  const visitor = await elsewhere(null);
  await visitor.goto('/pages/business-skills-quiz');
  await quizIsLive(visitor);
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(words);
});

test('An admin orders questions by keyboard, removes one and adds it again', async ({
  page,
  site,
}) => {
  const id = await beginDraft(page, site);
  const area = page.getByRole('region', { name: 'Web design' });
  const names = () =>
    area.locator('button[aria-expanded]:not([aria-haspopup]) > span:first-child').allTextContents();
  const before = await names();
  const handle = area.getByRole('button', { name: `Drag ${before[0]}` });
  await handle.focus();
  await expect(handle).toHaveAttribute('aria-roledescription', 'sortable');
  await handle.press('Space');
  await expect(page.getByText(`Picked up ${before[0]} at position 1 of 4.`)).toBeAttached();
  await handle.press('ArrowDown');
  await expect(page.getByText(`${before[0]} is at position 2 of 4.`)).toBeAttached();
  const ordered = page.waitForResponse((answer) => answer.url().endsWith('order_quiz_questions'));
  await handle.press('Space');
  await ordered;
  await expect.poll(names).toEqual([before[1], before[0], before[2], before[3]]);

  await area.getByRole('button', { name: `More actions for ${before[0]}` }).click();
  await page.getByRole('menuitem', { name: 'Remove…' }).click();
  const dialog = page.getByRole('dialog', { name: `Remove “${before[0]}”?` });
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Remove it' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(/^Web design has 3 questions\./)).toBeVisible();

  await area.getByRole('button', { name: /^Add a question/ }).click();
  const add = page.getByRole('dialog', { name: 'Add a question about web design' });
  await add.getByLabel('Practice').selectOption({ label: before[0] ?? '' });
  await checkAccessibility(page);
  await add.getByRole('button', { name: 'Add it' }).click();
  await expect(add).toBeHidden();
  await expect.poll(names).toEqual([before[1], before[2], before[3], before[0]]);
  await expect(page.getByLabel('Question', { exact: true })).not.toHaveValue('');
  const [row] = await site.sql`
    select count(*)::int as questions, max(position) as last
    from public.quiz_questions where version_id = ${id}`;
  expect(row).toEqual({ questions: 32, last: 32 });

  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard it' }).click();
  await page.waitForURL(/\/admin\/quiz$/);
  const restored = page.waitForResponse((answer) => answer.url().endsWith('discard_quiz_draft'));
  await page
    .getByRole('button', { name: /^Restore the draft/ })
    .first()
    .click();
  await restored;
  await expect(page.getByRole('link', { name: 'Continue with the draft' })).toBeVisible();
});

test('What was typed offline is kept and sent, and two admins never overwrite each other', async ({
  page,
  site,
  elsewhere,
}) => {
  const id = await beginDraft(page, site);
  await open(page, 'Findable and accurate online');
  const help = page.getByLabel('Help (optional)', { exact: true });
  await goOffline(page);
  await help.fill('Typed on a train');
  await expect(page.getByText('Not sent yet', { exact: true }).first()).toBeVisible();
  const sent = saved(page, 'Typed on a train');
  await page.context().setOffline(false);
  await sent;

  const address = newAddress('second');
  const second = await createMember(site.sql, {
    email: address,
    fullName: 'Ada Second',
    businessName: 'Second',
  });
  await site.sql`insert into public.staff_roles (user_id, role) values (${second.id}, 'admin')`;
  const other = await elsewhere(address);
  await other.goto(`/admin/quiz/${id}`);
  await open(other, 'Findable and accurate online');
  await expect(other.getByLabel('Help (optional)', { exact: true })).toHaveValue(
    'Typed on a train',
  );
  // Both type before either is saved.
  await goOffline(page);
  await help.fill('Mine');
  const theirs = saved(other, 'Theirs');
  await other.getByLabel('Help (optional)', { exact: true }).fill('Theirs');
  await theirs;
  await page.context().setOffline(false);
  const conflict = page.getByRole('alert').filter({ hasText: 'Ada Second saved changes' });
  await expect(conflict).toBeVisible();
  await checkBothThemes(page);
  const mine = saved(page, 'Mine');
  await conflict.getByRole('button', { name: 'Keep mine' }).click();
  await mine;
  const [row] = await site.sql`
    select help from public.quiz_questions where version_id = ${id} and key = ${FIRST}`;
  expect(row?.help).toBe('Mine');
});

import type { Page } from '@playwright/test';
import { checkBothThemes } from '../support/axe.ts';
import { addColleague, openBusiness } from '../support/business-steps.ts';
import { CUT, expect, goOffline, type Site, test } from '../support/harness.ts';

test.use({ changesDemo: false, expectedConsole: CUT });

const SAVE = '**/rpc/save_worksheet';

const grid = (page: Page) => page.getByRole('grid', { name: 'Forecast by month' });

/** A cell by its row's name and the number of its month, from 1. */
const cell = (page: Page, row: string | RegExp, month: number) =>
  grid(page)
    .getByRole('row', { name: row })
    .getByRole('gridcell')
    .nth(month - 1);

/** Does something, and waits until the database has answered the save. */
async function saving(page: Page, act: () => Promise<unknown>): Promise<void> {
  const answer = page.waitForResponse(SAVE);
  await act();
  expect((await answer).status()).toBe(200);
  await expect(page.getByRole('status').getByText('Saved', { exact: true })).toBeVisible();
}

/** Puts text on the clipboard, as a spreadsheet does, and pastes it. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((copied) => {
    const data = new DataTransfer();
    data.setData('text/plain', copied);
    const event = new ClipboardEvent('paste', {
      clipboardData: data,
      bubbles: true,
      cancelable: true,
    });
    document.activeElement?.dispatchEvent(event);
  }, text);
}

/** Opens the empty forecast of a new business; returns the owner's email. */
async function openForecast(page: Page, site: Site, name: string): Promise<string> {
  const email = await openBusiness(page, site, name);
  await page.getByRole('link', { name: 'Fill in your forecast' }).click();
  await expect(page.getByRole('button', { name: 'Copy to later months' })).toBeEnabled();
  return email;
}

test('An owner fills in a forecast with the keys of a spreadsheet', async ({ page, site }) => {
  await openForecast(page, site, 'Forecast keys');
  await page.getByLabel('In the bank at the start').fill('$1,000');
  await page.getByLabel('Your floor').fill('abc');
  await expect(page.getByText('Not an amount. Use digits, such as 1,250 or 12.50.')).toBeVisible();
  await page.getByLabel('Your floor').fill('500');

  await cell(page, /^Sales paid/, 1).click();
  await page.keyboard.type('1200');
  await page.keyboard.press('Tab');
  await page.keyboard.type('1,300.50');
  await page.keyboard.press('Enter');
  // Enter goes down, to the invoices of the second month.
  await page.keyboard.type('(200)');
  await page.keyboard.press('Escape');
  await expect(cell(page, /^Invoices/, 2)).toBeFocused();
  await expect(cell(page, /^Invoices/, 2)).toHaveText('');
  await expect(cell(page, /^Sales paid/, 2)).toHaveText('1,300.50');

  // Fill right from the second month on.
  await page.keyboard.press('ArrowUp');
  await saving(page, () => page.keyboard.press('Control+r'));
  await expect(cell(page, /^Sales paid/, 12)).toHaveText('1,300.50');
  await page.keyboard.press('Control+z');
  await expect(cell(page, /^Sales paid/, 12)).toHaveText('');
  await page.keyboard.press('Control+y');
  await expect(cell(page, /^Sales paid/, 12)).toHaveText('1,300.50');

  // Select with Shift, and clear.
  await page.keyboard.press('End');
  await page.keyboard.press('Shift+ArrowLeft');
  await expect(grid(page).locator('[aria-selected="true"]')).toHaveCount(2);
  await page.keyboard.press('Delete');
  await expect(cell(page, /^Sales paid/, 11)).toHaveText('');
  await page.keyboard.press('Control+Home');
  await expect(cell(page, /^Sales paid/, 1)).toBeFocused();

  // Escape, then Tab, leaves the table.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Add money in' })).toBeFocused();
});

test('An owner pastes from a spreadsheet, and sees what couldn’t be read', async ({
  page,
  site,
}) => {
  await openForecast(page, site, 'Forecast paste');
  await cell(page, /^Sales paid/, 1).click();
  await saving(page, () => paste(page, 'Shop\t$9,400.00\t9900\t1.234,50\nWeb\t(200)\t -   \t5\n'));
  await expect(cell(page, /^Sales paid/, 2)).toHaveText('9,900');
  await expect(cell(page, /^Invoices/, 1)).toHaveText('−200');
  await expect(cell(page, /^Sales paid/, 3)).toHaveText('1.234,50Not an amount');
  await expect(page.getByRole('alert')).toContainText('One cell can’t be read');
  await expect(page.getByRole('status').getByText(/^5 amounts pasted/)).toBeAttached();
  await checkBothThemes(page);
  // Typing an amount fixes it.
  await cell(page, /^Sales paid/, 3).click();
  await page.keyboard.type('7');
  await saving(page, () => page.keyboard.press('Enter'));
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.reload();
  await expect(cell(page, /^Sales paid/, 3)).toHaveText('7');
  await expect(cell(page, 'Total in', 1)).toHaveText('9,200');
});

test('A what-if shows what it would do, and changes no figure', async ({ page, site }) => {
  await openForecast(page, site, 'Forecast what-if');
  await page.getByLabel('In the bank at the start').fill('5000');
  await cell(page, /^Invoices/, 1).click();
  await page.keyboard.type('1000');
  await page.keyboard.press('Enter');
  await page.getByRole('checkbox', { name: 'Customers pay late' }).check();
  await page.getByLabel('Share of invoices, in percent').fill('40');
  await saving(page, () => page.getByRole('checkbox', { name: 'We hire someone' }).check());
  await expect(page.getByRole('row', { name: /^Balance with the what-ifs/ })).toContainText(
    '2,300',
  );
  await expect(cell(page, 'Balance at the end', 1)).toHaveText(/^6,000/);
  await expect(page.getByText(/^With these on:/)).toBeVisible();
  await checkBothThemes(page);
  await page.reload();
  await expect(page.getByLabel('Share of invoices, in percent')).toHaveValue('40');
  await page.getByLabel('Share of invoices, in percent').fill('140');
  await expect(page.getByText('Enter 0 to 100.')).toBeVisible();
});

test('An owner adds, renames and removes a row, and moves on by a month', async ({
  page,
  site,
}) => {
  await openForecast(page, site, 'Forecast rows');
  await page.getByRole('button', { name: 'Add money out' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add it' }).click();
  await expect(dialog.getByText('Give it a name.')).toBeVisible();
  await dialog.getByLabel('Name').fill('Van lease');
  await dialog.getByRole('button', { name: 'Add it' }).click();
  await expect(dialog).toBeHidden();
  await cell(page, /^Van lease/, 1).click();
  await page.keyboard.type('410');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Van lease' }).click();
  await dialog.getByLabel('Name').fill('Van');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Owner’s draw' }).click();
  await dialog.getByRole('button', { name: 'Remove it' }).click();
  await expect(dialog).toBeHidden();
  await expect(grid(page).getByRole('row', { name: /^Owner’s draw/ })).toHaveCount(0);

  await page.getByRole('button', { name: 'Start the next twelve months' }).click();
  await dialog.getByLabel('In the bank at the end').fill('x');
  await dialog.getByRole('button', { name: /^Move on to/ }).click();
  await expect(
    dialog.getByText('Use digits, such as 1,250 or 12.50, or leave it blank.'),
  ).toBeVisible();
  await dialog.getByLabel('In the bank at the end').fill('900');
  await dialog.getByLabel('Van').fill('430');
  await saving(page, () => dialog.getByRole('button', { name: /^Move on to/ }).click());
  await expect(page.getByLabel('In the bank at the start')).toHaveValue('$900');
  // The month that's over comes first.
  await expect(cell(page, /^Van/, 13)).toHaveText('430');
  await expect(page.getByRole('region', { name: 'Months that are over' })).toContainText(
    'ended with $900, $1,310 more than planned. What was off the most: Van, $20 more than planned.',
  );
  const over = cell(page, /^Van/, 1);
  await expect(over).toHaveText('430planned $410, actually $430, $20 more than planned');
  await page.getByRole('button', { name: 'Difference' }).click();
  await expect(over).toContainText('+20');
  await checkBothThemes(page);

  // The keys lead there; it can't be changed.
  await cell(page, /^Van/, 2).click();
  await page.keyboard.press('ArrowLeft');
  await expect(over).toBeFocused();
  await page.keyboard.type('5');
  await expect(grid(page).getByRole('textbox')).toHaveCount(0);
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('button', { name: 'Van', exact: true })).toBeFocused();

  // A new name keeps the figures of before.
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Name').fill('Truck');
  await saving(page, () => dialog.getByRole('button', { name: 'Save' }).click());
  await expect(cell(page, /^Truck/, 1)).toContainText('+20');

  // What really happened is corrected in place, and the forecast starts with the new balance.
  await page.getByRole('button', { name: /^Change the figures of / }).click();
  await expect(dialog.getByLabel('In the bank at the end')).toHaveValue('$900');
  await dialog.getByLabel('In the bank at the end').fill('1,000.50');
  await dialog.getByLabel('Truck').fill('400');
  await saving(page, () => dialog.getByRole('button', { name: 'Save' }).click());
  await expect(page.getByLabel('In the bank at the start')).toHaveValue('$1,000.50');
  await expect(page.getByRole('region', { name: 'Months that are over' })).toContainText(
    'What was off the most: Truck, $10 less than planned.',
  );
  await expect(cell(page, /^Truck/, 1)).toContainText('−10');
});

test('On a phone, an owner fills in one month at a time', async ({ page, site }) => {
  await openForecast(page, site, 'Forecast phone');
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(grid(page)).toBeHidden();
  const month = page.getByRole('region', { name: 'One month' });
  await month.getByRole('textbox', { name: 'Sales paid right away' }).fill('1200');
  await month.getByRole('textbox', { name: 'Rent and utilities' }).fill('12,50');
  await month.getByRole('button', { name: /^Next month/ }).click();
  // What can't be read stays.
  await expect(page.getByRole('alert')).toContainText('“12,50”. Not an amount');
  await expect(month.getByRole('textbox', { name: 'Rent and utilities' })).toHaveValue('');
  await month.getByRole('textbox', { name: 'Rent and utilities' }).fill('300');
  await expect(month.getByRole('definition').last()).toHaveText('$900');
  await month.getByRole('button', { name: /^Previous month/ }).click();
  await expect(month.getByRole('textbox', { name: 'Rent and utilities' })).toHaveValue('12,50');
  await month.getByRole('textbox', { name: 'Rent and utilities' }).fill('1500');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(month.getByRole('button', { name: /^Lowest: / })).toBeVisible();
  await saving(page, () => month.getByRole('button', { name: 'Copy to later months' }).click());
  // Every month loses 300 now.
  await month.getByRole('button', { name: /^Lowest: / }).click();
  await expect(month.getByRole('status')).toContainText('The lowest month');
  await expect(month.getByRole('definition').last()).toHaveText('−$3,600');
  await checkBothThemes(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await page.getByRole('button', { name: 'Start the next twelve months' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Sales paid right away').fill('1000');
  await saving(page, () => dialog.getByRole('button', { name: /^Move on to/ }).click());
  await month.getByRole('combobox', { name: 'Month' }).selectOption({ index: 0 });
  await expect(month.getByRole('status')).toHaveText(/: It’s over$/);
  await expect(month).toContainText('Planned $1,200, actually $1,000, $200 less than planned');
});

test('What’s filled in without a connection is sent by the next page', async ({
  page,
  context,
  site,
}) => {
  await openForecast(page, site, 'Forecast offline');
  const address = page.url();
  await goOffline(page);
  await cell(page, /^Rent/, 1).click();
  await page.keyboard.type('2400');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').getByText('Not sent yet')).toBeVisible();
  await page.close();
  await context.setOffline(false);
  const later = await context.newPage();
  const sent = later.waitForResponse(
    (answer) => answer.url().includes('save_worksheet') && answer.ok(),
  );
  await later.goto('/dashboard');
  await sent;
  await later.goto(address);
  await expect(cell(later, /^Rent/, 1)).toHaveText('2,400');
});

test('Of two members at once, the second chooses; the history has both', async ({
  page,
  site,
  elsewhere,
}) => {
  await openForecast(page, site, 'Forecast two');
  const address = page.url();
  const colleague = await addColleague(site, 'Forecast two');
  const other = await elsewhere(colleague);
  await other.goto(address);
  await expect(other.getByRole('button', { name: 'Copy to later months' })).toBeEnabled();

  await cell(page, /^Rent/, 1).click();
  await page.keyboard.type('2400');
  await saving(page, () => page.keyboard.press('Enter'));
  await cell(other, /^Rent/, 1).click();
  await other.keyboard.type('2600');
  await other.keyboard.press('Enter');
  await expect(other.getByText(/saved changes while you were typing/)).toBeVisible();
  await checkBothThemes(other);
  await saving(other, () => other.getByRole('button', { name: 'Keep mine' }).click());

  await other.getByRole('button', { name: 'History' }).click();
  const dialog = other.getByRole('dialog');
  await expect(dialog.getByRole('listitem').filter({ hasText: 'newest version' })).toContainText(
    'Cole League',
  );
  await dialog.getByText('One amount is different now').click();
  await expect(
    dialog.getByText(/^Rent and utilities, .*: \$2,400 then, \$2,600 now$/),
  ).toBeVisible();
  await dialog.getByRole('button', { name: /^Restore this/ }).click();
  await expect(dialog).toBeHidden();
  await expect(cell(other, /^Rent/, 1)).toHaveText('2,400');
});

test('A coach reads the forecast of a client, and can’t change it', async ({
  page,
  site,
  signIn,
}) => {
  const [row] = await site.sql`
    select business_id as id from public.business_worksheets where kind = 'forecast'`;
  await signIn(page, 'coach');
  await page.goto(`/dashboard/businesses/${row?.id}/forecast`);
  await expect(page.getByText('You’re viewing this as the coach.')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Forecast by month' })).toContainText('lowest');
  await expect(grid(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Copy to later months' })).toHaveCount(0);
  await checkBothThemes(page);
  await page.getByRole('button', { name: 'History', exact: true }).click();
  await expect(page.getByRole('dialog').getByRole('listitem').first()).toContainText(
    'newest version',
  );
  await expect(page.getByRole('dialog').getByRole('button', { name: /^Restore/ })).toHaveCount(0);
});

test('The toolbox opens the forecast and the plan of the business', async ({ page, signIn }) => {
  await signIn(page, 'owner');
  await page.goto('/dashboard/toolbox?item=cash-forecast');
  await page.getByRole('link', { name: 'Fill in your forecast' }).click();
  await expect(
    page.getByRole('heading', { level: 1, name: '12-month cash forecast' }),
  ).toBeVisible();
  await page.goto('/dashboard/toolbox?item=one-page-plan');
  await page.getByRole('link', { name: 'Write your plan' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'One-page plan' })).toBeVisible();
});

test('A calculator’s numbers are kept with the business, with those from the browser, for the coach too', async ({
  site,
  elsewhere,
}) => {
  const [owner] = await site.sql`select id from auth.users where email = 'owner@demo.test'`;
  const mine = await elsewhere('owner');
  await mine.addInitScript((key) => {
    if (sessionStorage.getItem('seeded')) return;
    sessionStorage.setItem('seeded', '1');
    localStorage.setItem(key, JSON.stringify({ cost: '8', hours: '1' }));
  }, `trellis-calculator:${owner?.id}:price`);
  await mine.goto('/dashboard/toolbox?item=pricing-worksheet');
  await mine.getByLabel('Materials and travel per sale').scrollIntoViewIfNeeded();
  await expect(mine.getByLabel('Materials and travel per sale')).toHaveValue('8');
  await mine.getByLabel('Cost per hour').fill('30');
  await mine.getByLabel('Overhead on top of that').fill('25');
  await saving(mine, () => mine.getByLabel('Profit margin you want').fill('20'));
  const [row] = await site.sql`
    select business_id as id from public.business_worksheets where kind = 'price'`;
  const coach = await elsewhere('coach');
  await coach.goto(`/dashboard/businesses/${row?.id}/forecast`);
  const kept = coach.getByRole('region', { name: 'Calculators' });
  await expect(kept).toContainText('Cost per hour$30');
  // The history says who saved what, and what's different now.
  await kept.getByRole('button', { name: 'History of price' }).scrollIntoViewIfNeeded();
  await kept.getByRole('button', { name: 'History of price' }).click();
  const history = coach.getByRole('dialog').getByRole('listitem');
  await expect(history.first()).toContainText('Maria Delgado');
  await expect(history.first()).toContainText('The same figures as now.');
  await expect(coach.getByRole('dialog').getByRole('button', { name: /^Restore/ })).toHaveCount(0);
  await checkBothThemes(coach);
});

test('A forecast is downloaded as a spreadsheet', async ({ page, signIn, site }) => {
  const [row] = await site.sql`
    select business_id as id from public.business_worksheets where kind = 'forecast'`;
  await signIn(page, 'owner');
  await page.goto(`/dashboard/businesses/${row?.id}/forecast`);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as a spreadsheet' }).click();
  expect((await download).suggestedFilename()).toMatch(/^cash-forecast-\d{4}-\d\d\.xlsx$/);
});

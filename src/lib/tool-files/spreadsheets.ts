/** The tools that can be downloaded as a spreadsheet, by slug. */
import { customerSheets } from './customer-sheets.ts';
import { growthSheets } from './growth-sheets.ts';
import { moneySheets } from './money-sheets.ts';
import type { Part } from './tool-sheets.ts';
import { workSheets } from './work-sheets.ts';

export const spreadsheets: ReadonlyMap<string, readonly Part[]> = new Map(
  Object.entries({ ...moneySheets, ...customerSheets, ...workSheets, ...growthSheets }),
);

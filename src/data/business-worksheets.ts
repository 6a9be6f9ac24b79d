/** The forecast and the calculators that are kept with a business, with earlier versions. */
import * as v from 'valibot';
import {
  type Forecast,
  LONGEST_NAME,
  MONTHS,
  MOST_CENTS,
  MOST_PAST,
  MOST_ROWS,
  ROW_KINDS,
  SIDES,
} from '#domain/forecast.ts';
import type { WorksheetKind } from '#domain/worksheet.ts';
import { AppError } from '#lib/errors.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { businessClient, businessRole } from './business-roles.ts';

const cents = v.pipe(v.number(), v.integer(), v.minValue(-MOST_CENTS), v.maxValue(MOST_CENTS));
const percent = (least: number, most: number) =>
  v.pipe(v.number(), v.minValue(least), v.maxValue(most));
const month = v.pipe(v.string(), v.regex(/^20\d\d-(0[1-9]|1[0-2])$/));
const name = v.pipe(v.string(), v.maxLength(LONGEST_NAME));

/** A forecast as it's stored. It has the fields in the same order, however they were sent. */
export const forecastDocument = v.object({
  start: month,
  opening: v.nullable(cents),
  floor: v.nullable(cents),
  rows: v.pipe(
    v.array(
      v.object({
        id: v.string(),
        side: v.picklist(SIDES),
        kind: v.picklist([...ROW_KINDS.in, ...ROW_KINDS.out]),
        name,
        amounts: v.pipe(v.array(v.nullable(cents)), v.length(MONTHS)),
      }),
    ),
    v.maxLength(2 * MOST_ROWS),
  ),
  whatIf: v.object({
    late: v.object({ on: v.boolean(), percent: percent(0, 100), months: v.number() }),
    price: v.object({
      on: v.boolean(),
      from: month,
      percent: percent(-100, 1000),
      volume: percent(-100, 1000),
    }),
    hire: v.object({ on: v.boolean(), from: month, cents, taxes: percent(0, 100) }),
  }),
  past: v.pipe(
    v.array(
      v.object({
        month,
        rows: v.array(
          v.object({
            name,
            side: v.picklist(SIDES),
            planned: v.nullable(cents),
            actual: v.nullable(cents),
          }),
        ),
        planned: v.number(),
        actual: v.nullable(v.number()),
      }),
    ),
    v.maxLength(MOST_PAST),
  ),
}) satisfies v.GenericSchema<unknown, Forecast>;

/** What was typed into a calculator, by field. */
export const calculatorDocument = v.record(v.string(), v.string());
export type CalculatorDocument = v.InferOutput<typeof calculatorDocument>;

/** A worksheet's current state; one that was never saved has revision 0. */
const sheetOf = <Document>(document: v.GenericSchema<unknown, Document>) =>
  v.object({
    document: v.nullable(document),
    /** Increases with every change. */
    revision: v.number(),
    /** Null if the account was deleted. */
    saved_by: v.nullable(v.string()),
    saved_at: v.nullable(v.string()),
  });

const worksheetOf = <Document>(document: v.GenericSchema<unknown, Document>) =>
  v.object({
    business_id: v.string(),
    name: v.string(),
    archived: v.boolean(),
    role: businessRole,
    sheet: sheetOf(document),
    /** Null for everyone but the coach. */
    client: businessClient,
  });

const forecastWorksheet = worksheetOf(forecastDocument);
export type ForecastWorksheet = v.InferOutput<typeof forecastWorksheet>;
export type ForecastSheet = ForecastWorksheet['sheet'];

/** The forecast of a business. Throws `not-found` if the user can't read it. */
export const getForecast = (db: Db, businessId: string) =>
  rpc(db, 'get_worksheet', forecastWorksheet, { p_business_id: businessId, p_kind: 'forecast' });

const calculatorWorksheet = worksheetOf(calculatorDocument);
export type CalculatorWorksheet = v.InferOutput<typeof calculatorWorksheet>;

/** A calculator of a business. Throws `not-found` if the user can't read it. */
export const getCalculator = (
  db: Db,
  businessId: string,
  kind: Exclude<WorksheetKind, 'forecast'>,
) => rpc(db, 'get_worksheet', calculatorWorksheet, { p_business_id: businessId, p_kind: kind });

/** A worksheet of either sort: a forecast, or what was typed into a calculator. */
const anyDocument = v.union([forecastDocument, calculatorDocument]);
const anySheet = sheetOf(anyDocument);
export type AnySheet = v.InferOutput<typeof anySheet>;
const saving = v.object({ saved: v.boolean(), sheet: anySheet });

/**
 * Saves a worksheet that's based on a revision; `saved` is false, and nothing is saved, if there's
 * another by now. Throws `invalid` if the figures can't be stored.
 * @param key `<business>/<kind>`
 */
export async function saveWorksheet(
  db: Db,
  key: string,
  { value, revision }: { value: Record<string, unknown>; revision: number },
): Promise<{ saved: boolean; stored: AnySheet }> {
  const [business = '', kind = ''] = key.split('/');
  const read = v.safeParse(anyDocument, value);
  if (!read.success) throw new AppError('invalid');
  const { saved, sheet } = await rpc(db, 'save_worksheet', saving, {
    p_business_id: business,
    p_kind: kind,
    p_document: read.output,
    p_base_revision: revision,
  });
  return { saved, stored: sheet };
}

const versionOf = <Document>(document: v.GenericSchema<unknown, Document>) =>
  v.object({
    revision: v.number(),
    document,
    saved_by: v.nullable(v.string()),
    saved_at: v.string(),
    restored_from: v.nullable(v.number()),
  });

/** Versions per response, at most. */
export const VERSION_PAGE = 20;

function listVersions<Document>(
  db: Db,
  document: v.GenericSchema<unknown, Document>,
  { id, kind, before }: { id: string; kind: WorksheetKind; before: number | undefined },
) {
  return rpc(db, 'list_worksheet_versions', v.array(versionOf(document)), {
    p_business_id: id,
    p_kind: kind,
    p_limit: VERSION_PAGE,
    ...(before === undefined ? {} : { p_before: before }),
  });
}

/** A page of a forecast's earlier versions, newest first; `before` is a revision. */
export const listForecastVersions = (db: Db, id: string, before?: number) =>
  listVersions(db, forecastDocument, { id, kind: 'forecast', before });

/** A page of a calculator's earlier versions, newest first; `before` is a revision. */
export const listCalculatorVersions = (
  db: Db,
  id: string,
  kind: Exclude<WorksheetKind, 'forecast'>,
  before?: number,
) => listVersions(db, calculatorDocument, { id, kind, before });

const restoreVersion = <Document>(
  db: Db,
  document: v.GenericSchema<unknown, Document>,
  { id, kind, revision }: { id: string; kind: WorksheetKind; revision: number },
) =>
  rpc(db, 'restore_worksheet_version', sheetOf(document), {
    p_business_id: id,
    p_kind: kind,
    p_revision: revision,
  });

/** Restores an older version as a new one. */
export const restoreForecast = (db: Db, id: string, revision: number) =>
  restoreVersion(db, forecastDocument, { id, kind: 'forecast', revision });

/** Restores an older version of a calculator as a new one. */
export const restoreCalculator = (
  db: Db,
  id: string,
  kind: Exclude<WorksheetKind, 'forecast'>,
  revision: number,
) => restoreVersion(db, calculatorDocument, { id, kind, revision });

/** The forecast of a business, saved as you type, with a way back for each change. */
import { atom, computed } from 'nanostores';
import * as v from 'valibot';
import {
  type ForecastSheet,
  type ForecastWorksheet,
  forecastDocument,
  getForecast,
  restoreForecast,
} from '#data/business-worksheets.ts';
import { type Forecast, newForecast } from '#domain/forecast.ts';
import { db } from '#lib/db.ts';
import { createWorksheetAutosave } from '#stores/worksheet-autosave.ts';
import type { Figures } from '#sync/kinds/worksheet.ts';
import { pageSync } from '#sync/page-sync.ts';
import type { Sync } from '#sync/sync.ts';
import { createSteps } from './steps.ts';

export interface ForecastDeps {
  /** Loads the current state from the database. */
  read(): Promise<ForecastSheet>;
  restore(revision: number): Promise<ForecastSheet>;
  /** Returns the page's write pipeline, always the same one. Called only in a browser. */
  openSync(): Sync;
}

/** @param owner the id of the signed-in user */
export const forecastDeps = (businessId: string, owner: string): ForecastDeps => ({
  read: async () => (await getForecast(await db(), businessId)).sheet,
  restore: async (revision) => restoreForecast(await db(), businessId, revision),
  openSync: () => pageSync(owner),
});

const isSame = (one: Forecast, other: Forecast) => JSON.stringify(one) === JSON.stringify(other);

/**
 * Creates the store of one page.
 * @param today `2026-11-21`: a new forecast starts with the month after it
 */
export function createForecastStore(
  worksheet: Pick<ForecastWorksheet, 'business_id' | 'sheet'>,
  today: string,
  deps: ForecastDeps,
) {
  const { autosave, parse } = createWorksheetAutosave<Forecast>({
    key: `${worksheet.business_id}/forecast`,
    sheet: worksheet.sheet,
    empty: newForecast(today),
    parse(figures) {
      const read = v.safeParse(forecastDocument, figures);
      return read.success ? read.output : null;
    },
    read: deps.read,
    openSync: deps.openSync,
  });
  const $forecast = atom<Forecast>(worksheet.sheet.document ?? newForecast(today));
  const steps = createSteps<Forecast>();
  let followed = autosave.$fields.get().sheet.value;

  function show(forecast: Forecast | null) {
    if (!forecast) return;
    $forecast.set(forecast);
    autosave.type('sheet', { ...forecast });
  }

  /** Shows what was saved elsewhere; what was changed here before can't be undone on top of it. */
  function follow(figures: Figures) {
    // Reading them takes a while, and the first ones are what the page shows.
    if (figures === followed) return;
    followed = figures;
    const forecast = parse(figures);
    if (isSame(forecast, parse({ ...$forecast.get() }))) return;
    $forecast.set(forecast);
    steps.clear();
  }

  return {
    $forecast,
    $status: computed(autosave.$fields, ({ sheet: { status } }) => status),
    $canUndo: steps.$canUndo,
    $canRedo: steps.$canRedo,
    /**
     * Changes the forecast.
     * @param what names a field that's typed into: its changes in a row are undone together
     */
    edit(change: (forecast: Forecast) => Forecast, what: string | null = null): void {
      const before = $forecast.get();
      const next = change(before);
      if (isSame(before, next)) return;
      steps.add(before, what);
      show(next);
    },
    undo: () => show(steps.undo($forecast.get())),
    redo: () => show(steps.redo($forecast.get())),
    /** Restores an older version. Throws an AppError. */
    async restore(revision: number): Promise<void> {
      autosave.renew('sheet', await deps.restore(revision));
    },
    flush: () => autosave.flush(),
    /** Resolves a conflict: saves mine over theirs, or keeps theirs and discards mine. */
    choose: (which: 'mine' | 'theirs') => autosave.choose('sheet', which),
    /** Follows edits in all tabs and what other people save. Returns the cleanup. */
    open(): () => void {
      const stops = [
        autosave.open(),
        autosave.$fields.subscribe(({ sheet: { value } }) => follow(value)),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

export type ForecastStore = ReturnType<typeof createForecastStore>;

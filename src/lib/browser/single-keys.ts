/**
 * Whether shortcuts of a single key work on this browser. People who speak to their computer, or whose
 * hands slip, can turn them off (WCAG 2.1.4).
 */
import { readJson, writeStored } from './stored.ts';

const KEY = 'trellis-single-keys';

/** They work unless someone turned them off. */
export const areSingleKeysOn = (): boolean => readJson(KEY) !== false;

/** Turns them on or off for everyone who uses this browser. */
export const setSingleKeys = (on: boolean): void => {
  writeStored(KEY, on ? null : false);
};

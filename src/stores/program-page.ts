/** What one part of a program's page tells the others after a change. */
import { atom } from 'nanostores';
import type { AnyProgram } from '#data/admin-programs.ts';

/** The program as it is now, as far as the part that changed it knows; null before any change. */
export const $changedProgram = atom<Partial<AnyProgram> | null>(null);

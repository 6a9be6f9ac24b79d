/** Worksheets: the forecast and the calculators that are kept with a business, one of each kind. */
import { TOOL_CALCULATORS } from './tool.ts';

export const WORKSHEET_KINDS = ['forecast', ...TOOL_CALCULATORS] as const;
export type WorksheetKind = (typeof WORKSHEET_KINDS)[number];

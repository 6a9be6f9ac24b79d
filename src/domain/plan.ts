/** The one-page plan: its fields, their questions, their length limits and the print size. */
/** The fields of the one-page plan, in the order people fill them in. */
export const PLAN_FIELDS = [
  'problem',
  'offer',
  'customer',
  'competitors',
  'channels',
  'revenue',
  'costs',
  'milestones',
  'team',
  'funding',
  'measures',
  'assumption',
  'evidence',
  'test',
] as const;

export type PlanField = (typeof PLAN_FIELDS)[number];

/** The fields under the questions they answer together, in the same order. */
export const PLAN_GROUPS: readonly { title: string; fields: readonly PlanField[] }[] = [
  { title: 'The idea', fields: PLAN_FIELDS.slice(0, 5) },
  { title: 'The money and the work', fields: PLAN_FIELDS.slice(5, 11) },
  { title: 'The bet', fields: PLAN_FIELDS.slice(11) },
];

interface PlanLabel {
  title: string;
  /** What to write, as a question. */
  ask: string;
}

export const PLAN_LABELS: Record<PlanField, PlanLabel> = {
  problem: { title: 'Problem', ask: 'What’s hard, and who is it hard for?' },
  offer: { title: 'Offer', ask: 'What do we sell?' },
  customer: { title: 'Customer', ask: 'Who pays, and how many are there?' },
  competitors: { title: 'Competitors, and why us', ask: 'What else could they do?' },
  channels: { title: 'Channels', ask: 'How do they find us?' },
  revenue: { title: 'Revenue and price', ask: 'Who pays what, and how often?' },
  costs: { title: 'Costs', ask: 'What costs most?' },
  milestones: { title: 'Milestones', ask: 'What, and by when?' },
  team: { title: 'Team', ask: 'Who does what?' },
  funding: { title: 'Funding', ask: 'How much, when, and from where?' },
  measures: { title: 'Measures', ask: 'Which numbers tell us how it’s going?' },
  assumption: { title: 'Riskiest assumption', ask: 'What would sink it if it were wrong?' },
  evidence: { title: 'Evidence for it', ask: 'What have we seen, not just believed?' },
  test: { title: 'Test', ask: 'How will we find out, and by when?' },
};

// Writing ----------------------------------------------------------------------------------------

/** Limits per field, in characters and lines, that keep the plan on one printed page. */
export const PLAN_LONGEST = 400;
export const PLAN_LINES = 10;

/** Normalizes typed text to what the database stores, so that the two can be compared. */
export const planAsStored = (value: string): string => value.replaceAll('\r\n', '\n').trim();

/** The error message for a field's text; null if it's valid. */
export function planProblem(value: string): string | null {
  const text = value.trim();
  if (text.length > PLAN_LONGEST) {
    const over = text.length - PLAN_LONGEST;
    return `Keep it to ${PLAN_LONGEST} characters so the plan fits on one page. That’s ${over} too many.`;
  }
  if (text.split('\n').length > PLAN_LINES) {
    return 'Keep it to ten lines so the plan fits on one page.';
  }
  return null;
}

// Printing ---------------------------------------------------------------------------------------

/** The print area available to the boxes, in points; it fits both A4 and Letter. */
const PAGE = { width: 527, height: 672, columns: 3, gap: 10 };
/** What a box adds around its text, in points: border, padding, margin. `title` is in lines. */
const BOX = { sides: 14, rest: 19, title: 1.5 };
const LINE = 1.35;

/** Font sizes for printing, in points, largest first. */
export const PRINT_SIZES = [12, 11, 10, 9, 8.5, 8, 7.5, 7, 6.5, 6, 5.5, 5] as const;
export type PrintSize = (typeof PRINT_SIZES)[number];

/** An upper bound for a character's width in ems, including the space that wrapping wastes. */
function width(sign: string): number {
  if (/[\u2e80-\u{10ffff}]/u.test(sign)) return 1.1;
  return /[A-ZÀ-ÞmwMW@%&—]/.test(sign) ? 0.98 : 0.51;
}

function height(text: string, size: number): number {
  const column = (PAGE.width - PAGE.gap * (PAGE.columns - 1)) / PAGE.columns - BOX.sides;
  const lines = text
    .split('\n')
    .map((line) =>
      Math.max(
        1,
        Math.ceil(([...line].reduce((sum, sign) => sum + width(sign), 0) * size) / column),
      ),
    );
  return lines.reduce((sum, each) => sum + each, BOX.title) * LINE * size + BOX.rest;
}

/** How many columns the boxes fill at this size; a box that doesn't fit starts the next column. */
function columnsOf(texts: readonly string[], size: number): number {
  let columns = 1;
  let filled = 0;
  for (const text of texts) {
    const box = height(text, size);
    if (filled > 0 && filled + box > PAGE.height) {
      columns += 1;
      filled = 0;
    }
    filled += box;
  }
  return columns;
}

/** The largest font size sure to fit the plan on one page. Boxes don't break across columns. */
export function printSizeOf(texts: readonly string[]): PrintSize {
  return PRINT_SIZES.find((size) => columnsOf(texts, size) <= PAGE.columns) ?? 5;
}

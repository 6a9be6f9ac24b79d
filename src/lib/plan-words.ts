/** The twelve boxes of the one-page plan in words: what each asks, and how much of it fits a page. */
import { PLAN_FIELDS, type PlanField } from './schemas.ts';

interface PlanWords {
  title: string;
  /** What to write, as a question. */
  ask: string;
}

export const PLAN_WORDS: Record<PlanField, PlanWords> = {
  problem: { title: 'Problem', ask: 'What is hard, and for whom?' },
  offer: { title: 'Offer', ask: 'What do we sell?' },
  customer: { title: 'Customer', ask: 'Who pays, and how many of them are there?' },
  competitors: { title: 'Competitors, and why us', ask: 'What else could they do?' },
  channels: { title: 'Channels', ask: 'How do they find us?' },
  revenue: { title: 'Revenue and price', ask: 'Who pays what, and how often?' },
  costs: { title: 'Costs', ask: 'What costs most?' },
  milestones: { title: 'Milestones', ask: 'What, and by when?' },
  team: { title: 'Team', ask: 'Who does what?' },
  funding: { title: 'Funding', ask: 'How much, when, and from where?' },
  measures: { title: 'Measures', ask: 'Which numbers tell us how it goes?' },
  assumption: { title: 'Riskiest assumption', ask: 'What would sink it if it were wrong?' },
  evidence: { title: 'Evidence for it', ask: 'What have we seen, not only believed?' },
  test: { title: 'Test', ask: 'How do we find out, and what would change the plan?' },
};

/** The part of the page that the boxes have, in points: what A4 and Letter have in common. */
const PAGE = { width: 527, height: 672, columns: 3, gap: 10 };
/** What a box needs beside its text: borders, padding, the space below; and the lines of its title. */
const BOX = { sides: 14, rest: 22, title: 1.5 };
const LINE = 1.35;

/** Sizes of the printed text in points, largest first. */
export const PRINT_SIZES = [10, 9, 8, 7, 6, 5] as const;
export type PrintSize = (typeof PRINT_SIZES)[number];

/** How wide a sign is at most, as a share of the size of the text, with what wrapping leaves over. */
function width(sign: string): number {
  if (/[\u2e80-\u{10ffff}]/u.test(sign)) return 1.1;
  return /[A-ZÀ-ÞmwMW@%&—]/.test(sign) ? 0.98 : 0.58;
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

/**
 * The largest size at which a plan surely fits on one page. Boxes do not break, so each column but
 * the last can waste as much as the tallest box.
 */
export function printSizeOf(values: Record<PlanField, string>): PrintSize {
  const fits = (size: number) => {
    const boxes = PLAN_FIELDS.map((field) => height(values[field], size));
    const all = boxes.reduce((sum, each) => sum + each, 0);
    return all + (PAGE.columns - 1) * Math.max(...boxes) <= PAGE.columns * PAGE.height;
  };
  return PRINT_SIZES.find(fits) ?? 5;
}

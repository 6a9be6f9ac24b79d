/**
 * Results as a PDF of one page, to show a lender or a sponsor: tagged for screen readers,
 * with embedded fonts and the bloom as vectors. It runs on the server, and has only the business's
 * own results in it.
 */
import PDFDocument from 'pdfkit';
import type { AttemptView } from '#data/attempts.ts';
import { KIND_LABELS } from '#domain/attempt.ts';
import { LEVEL_LABELS, levelOf } from '#domain/level.ts';
import { spokenPractice } from '#domain/spoken-practices.ts';
import { reportColor as color, reportFonts } from '#lib/files/report-style.ts';
import { dayText } from '#lib/locale/dates.ts';
import { CENTER, petalPath, RINGS, reach, short } from '#ui/charts/bloom-shape.ts';
import { LEFT_OUT, NOT_ENOUGH, type SkillScore, scoreText } from '#ui/charts/levels.ts';
import { areaSentence, openingOf } from './report.ts';
import { type AreaResult, areaResults, petalsOf, whyNoOverall, whyNoScore } from './results.ts';

interface ReportFacts {
  /** The site's name. */
  product: string;
  /** The site's address, as people reach it. */
  siteUrl: string;
  /** The reader's IANA time zone. */
  timeZone: string;
}

type Page = InstanceType<typeof PDFDocument>;

/** US Letter, in points; also printable on A4, which is longer and 17 points narrower. */
const WIDTH = 612;
const HEIGHT = 792;
const MARGIN = 44;
const INNER = WIDTH - 2 * MARGIN;
const BOTTOM = HEIGHT - MARGIN;
/** Space between columns. */
const GAP = 22;

/** Text sizes from the usual down to the least; the report takes the first that fits the page. */
const SCALES = [1, 0.95, 0.9, 0.85, 0.8, 0.75];
const LEAST_SCALE = 0.7;

/**
 * Draws the report of a submitted attempt.
 * @returns the bytes of the file
 */
export async function resultsPdf(view: AttemptView, facts: ReportFacts): Promise<Uint8Array> {
  const doc = newPage(view);
  layOut(doc, view, facts, reportScale(view, facts) ?? LEAST_SCALE);
  const parts: Uint8Array[] = [];
  doc.on('data', (part: Uint8Array) => parts.push(part));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  doc.on('end', resolve).on('error', reject);
  doc.end();
  await promise;
  return Buffer.concat(parts);
}

/** The size of the text, 1 being the usual, with which everything fits the page; null if none does. */
export const reportScale = (view: AttemptView, facts: ReportFacts): number | null =>
  [...SCALES, LEAST_SCALE].find((each) => layOut(newPage(view), view, facts, each) <= BOTTOM) ??
  null;

/** The name of the file: "business-skills-2026-10-18.pdf". */
export const pdfName = ({ attempt }: AttemptView) =>
  `business-skills-${(attempt.submitted_at ?? attempt.started_at).slice(0, 10)}.pdf`;

function newPage({ attempt }: AttemptView): Page {
  const doc = new PDFDocument({
    size: [WIDTH, HEIGHT],
    // Room at the bottom is ours to keep: with a margin, text there would start another page.
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: 0 },
    font: '',
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en-US',
    displayTitle: true,
    info: {
      Title: ['Business skills', attempt.business_name].filter(Boolean).join(': '),
      ...(attempt.submitted_at ? { CreationDate: new Date(attempt.submitted_at) } : {}),
    },
  });
  for (const [name, font] of Object.entries(reportFonts)) doc.registerFont(name, font);
  return doc;
}

interface TextLook {
  font?: keyof typeof reportFonts;
  size: number;
  role?: string;
  x?: number;
  y: number;
  width?: number;
  align?: 'left' | 'right' | 'center';
}

/** What the parts of the page draw with. */
interface Sheet {
  doc: Page;
  /** The document's tag, which the others go into. */
  root: Structure;
  /** Points at the chosen scale. */
  size: (points: number) => number;
  /** Draws a text as a tag. @returns the y below it */
  write: (tag: string, text: string, look: TextLook) => number;
  /** Draws a line across the page, with space around it. @returns the y below it */
  rule: (y: number) => number;
}

function sheetOf(doc: Page, scale: number): Sheet {
  const root = doc.struct('Document');
  doc.addStructure(root);
  const size = (points: number) => points * scale;
  const write: Sheet['write'] = (tag, text, look) => {
    const { x = MARGIN, width = INNER, y, align = 'left', font = 'text', role = 'ink' } = look;
    const words = printable(text);
    const options = { width, align, lineGap: size(look.size) * 0.12 };
    doc.font(font).fontSize(size(look.size));
    const height = doc.heightOfString(words, options);
    const draw = () => {
      doc.font(font).fontSize(size(look.size)).fillColor(color(role)).text(words, x, y, options);
    };
    root.add(doc.struct(tag, {}, draw));
    return y + height;
  };
  const rule = (y: number) => {
    const at = y + size(9);
    doc.markContent('Artifact');
    doc
      .moveTo(MARGIN, at)
      .lineTo(WIDTH - MARGIN, at)
      .lineWidth(0.6);
    doc.strokeColor(color('line')).stroke().endMarkedContent();
    return at + size(8);
  };
  return { doc, root, size, write, rule };
}

/** Draws the whole page. @returns the y where it ends, which is past the bottom if it's too long */
function layOut(doc: Page, view: AttemptView, facts: ReportFacts, scale: number): number {
  const sheet = sheetOf(doc, scale);
  const { rule } = sheet;
  let y = drawHeading(sheet, view, facts);
  y = rule(drawInShort(sheet, view, y));
  y = rule(drawScores(sheet, view, y));
  y = rule(drawAreas(sheet, view, y));
  return drawFootnote(sheet, view, facts, y);
}

function drawHeading({ write, size }: Sheet, view: AttemptView, facts: ReportFacts): number {
  const { attempt, version } = view;
  const about = [
    KIND_LABELS[attempt.kind],
    attempt.submitted_at && dayText(attempt.submitted_at, facts.timeZone),
    attempt.owner_name && `answered by ${attempt.owner_name}`,
    `version ${version.number} of the quiz`,
  ].filter(Boolean);
  const eyebrow = `${facts.product} · Business skills`;
  const title = attempt.business_name ?? 'Business skills';
  let y = write('P', eyebrow, { font: 'strong', size: 8.5, role: 'primary', y: MARGIN });
  y = write('H1', title, { font: 'title', size: 22, y: y + size(3) });
  y = write('P', about.join(' · '), { size: 8.5, role: 'muted', y: y + size(1) });
  const { sentence } = openingOf(view);
  return write('P', sentence, { font: 'title', size: 14, y: y + size(9) }) + size(9);
}

/** The strongest skill, the constraint and the next step, side by side. */
function drawInShort({ write, size }: Sheet, view: AttemptView, y: number): number {
  const { strongest, constraint } = openingOf(view);
  const weakest = constraint?.weakest;
  const parts: { title: string; main: string; more?: string }[] = [];
  if (strongest) parts.push({ title: 'The strongest skill', main: standing(strongest) });
  if (constraint) {
    const practice = weakest && spokenPractice(weakest.question.key, weakest.question.practice);
    const more = practice ? { more: `Above all ${practice}` } : {};
    parts.push({ title: 'The one constraint', main: standing(constraint), ...more });
  }
  if (weakest?.next) parts.push({ title: 'The next step', main: `“${weakest.next}”` });
  const width = (INNER - 2 * GAP) / 3;
  const ends = parts.map(({ title, main, more }, index) => {
    const box = { x: MARGIN + index * (width + GAP), width };
    let at = write('H2', title, { ...box, size: 7.5, role: 'muted', y });
    at = write('P', main, { ...box, size: 9.5, font: 'strong', y: at + size(2) });
    return more ? write('P', more, { ...box, size: 8.5, role: 'muted', y: at + size(1) }) : at;
  });
  return Math.max(y, ...ends);
}

const standing = ({ area, score }: AreaResult) =>
  `${area.name}, ${scoreText(score.score)}${score.level ? ` · ${LEVEL_LABELS[score.level]}` : ''}`;

/** The bloom on the left, and the same in numbers on the right. */
function drawScores({ doc, root, write, size }: Sheet, view: AttemptView, y: number): number {
  const petals = petalsOf(view);
  const side = size(208);
  drawBloom(doc, root, petals, { x: MARGIN, y, size: side });
  const right = { x: MARGIN + side + GAP, width: INNER - side - GAP };
  const overall = view.attempt.overall_score;
  const scored = petals.filter(({ score }) => score !== null).length;
  const end =
    overall === null
      ? write('P', `No overall score. ${whyNoOverall(scored)}`, { ...right, size: 9, y })
      : write('P', `${scoreText(overall)} of 100 overall · ${LEVEL_LABELS[levelOf(overall)]}`, {
          ...right,
          font: 'title',
          size: 15,
          y,
        });
  const table = { ...right, y: end + size(5), size: size(8.8) };
  return Math.max(y + side, drawTable(doc, root, petals, table));
}

/** A sentence about each area in two columns, each row as high as its longer one. */
function drawAreas({ write, size }: Sheet, view: AttemptView, start: number): number {
  const width = (INNER - GAP) / 2;
  const results = areaResults(view);
  let y = write('H2', 'Area by area', { font: 'title', size: 12, y: start }) + size(4);
  for (let row = 0; row < results.length; row += 2) {
    const ends = results.slice(row, row + 2).map((result, side) => {
      const { area, score } = result;
      const box = { x: MARGIN + side * (width + GAP), width };
      const none = score.applicable === 0 ? LEFT_OUT : NOT_ENOUGH;
      const title = `${area.name} · ${score.score === null ? none : scoreText(score.score)}`;
      const end = write('H3', title, { ...box, font: 'strong', size: 8.8, y });
      const words = areaSentence(result, false) ?? whyNoScore(result, false);
      return write('P', words, { ...box, size: 8, y: end + size(0.5) });
    });
    y = Math.max(...ends) + size(6);
  }
  return y - size(6);
}

/** What the report is, and isn't. */
function drawFootnote({ write }: Sheet, view: AttemptView, facts: ReportFacts, y: number): number {
  const words = `The owner answered ${answeredCount(view)} questions about what the business does in practice, and quotes are the answers they chose. Nobody has audited them. A score is the share of the points that an area’s answers can reach: Starting is below 25, Developing below 50, Established below 75, Strong 75 to 100. ${facts.siteUrl.replace(/^https?:\/\//, '')}`;
  return write('P', words, { size: 7, role: 'muted', y });
}

const answeredCount = ({ answers }: AttemptView) =>
  answers.filter(({ value }) => value !== null).length;

interface Box {
  x: number;
  y: number;
  size: number;
}

type Structure = ReturnType<Page['struct']>;

/** Draws the flower of the results in a square. */
function drawBloom(doc: Page, root: Structure, petals: SkillScore[], { x, y, size }: Box) {
  const alt = `Flower chart of ${petals.length} skills, with the scores of the table next to it.`;
  // Labels need room around the flower, which is 236 units wide.
  const unit = size / 330;
  const petalFill = (level: SkillScore['level']) => color(level ? `level-${level}` : 'muted');
  root.add(
    doc.struct('Figure', { alt }, () => {
      doc.save();
      doc.translate(x + size / 2, y + size / 2).scale(unit);
      for (const ring of RINGS) {
        doc
          .circle(0, 0, short(reach(ring)))
          .lineWidth(1)
          .strokeColor(color('line'))
          .stroke();
      }
      for (const [index, { score, level }] of petals.entries()) {
        doc.save().rotate((360 / petals.length) * index);
        doc.path(petalPath(100)).fillColor(color('petal')).fill();
        if (score !== null) doc.path(petalPath(score)).fillColor(petalFill(level)).fill();
        doc.restore();
      }
      doc
        .circle(0, 0, CENTER / 2)
        .fillColor(color('accent'))
        .fill();
      for (const [index, { short_label, score }] of petals.entries()) {
        const turn = (2 * Math.PI * index) / petals.length;
        const [sin, cos] = [Math.sin(turn), -Math.cos(turn)];
        const upright = Math.abs(sin) < 0.3;
        const align = upright ? 'center' : sin > 0 ? 'left' : 'right';
        const width = 80;
        const at = sin * 129 - (align === 'center' ? width / 2 : align === 'right' ? width : 0);
        const top = cos * (upright && cos < 0 ? 146 : upright ? 124 : 130) - (upright ? 0 : 13);
        const options = { width, align, lineBreak: false } as const;
        doc.font('text').fontSize(12).fillColor(color('muted')).text(short_label, at, top, options);
        doc
          .font('strong')
          .fillColor(color('ink'))
          .text(scoreText(score), at, top + 13, options);
      }
      doc.restore();
    }),
  );
}

/** The scores as a table with a header row. @returns the y below it */
function drawTable(
  doc: Page,
  root: Structure,
  petals: SkillScore[],
  { x, y, width, size }: Box & { width: number },
): number {
  const table = doc.struct('Table');
  root.add(table);
  const columns = [
    { x, width: width * 0.58, align: 'left' },
    { x: x + width * 0.58, width: width * 0.14, align: 'right' },
    { x: x + width * 0.76, width: width * 0.24, align: 'left' },
  ] as const;
  const height = size * 1.75;
  const rows = [
    ['Skill', 'Score', 'Level'],
    ...petals.map(({ label, score, level, left_out }) => [
      label,
      scoreText(score),
      level ? LEVEL_LABELS[level] : left_out ? LEFT_OUT : NOT_ENOUGH,
    ]),
  ];
  for (const [row, cells] of rows.entries()) {
    const line = doc.struct('TR');
    table.add(line);
    for (const [column, text] of cells.entries()) {
      const { x: at = x, width: wide = width, align = 'left' } = columns[column] ?? {};
      const isHead = row === 0 || column === 0;
      line.add(
        doc.struct(isHead ? 'TH' : 'TD', {}, () => {
          doc
            .font(row > 0 && column === 1 ? 'strong' : 'text')
            .fontSize(row === 0 ? size * 0.85 : size);
          doc.fillColor(color(row === 0 ? 'muted' : 'ink'));
          doc.text(printable(text), at, y + row * height, { width: wide, align, lineBreak: false });
        }),
      );
    }
    line.end();
  }
  table.end();
  return y + rows.length * height;
}

/** What the embedded fonts can show: Latin letters, and typographic signs. */
const SHOWN = /[\u0020-\u007eÀ-ÖØ-öø-ÿ‘’“”–—…·×−€£¢©®°½→\u00a0]/;

/** Replaces what the fonts can't show: with the letter beneath an accent, or a question mark. */
function printable(text: string): string {
  return Array.from(text, (sign) => {
    if (SHOWN.test(sign)) return sign;
    const bare = sign.normalize('NFKD').replace(/\p{M}/gu, '');
    return SHOWN.test(bare) ? bare : '?';
  }).join('');
}

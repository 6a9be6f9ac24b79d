/** The drawings of the public site's sections, as data for Drawing. */
import type { Picture } from './Drawing.tsx';
import { growth, stake } from './plants.ts';

/** Each section of the public site has a drawing of what it's about. */
export const sections = {
  growth: growth[2],
  stake,
  /** Lines of writing with a vine between them: articles. */
  blog: {
    name: 'written',
    box: '0 0 200 176',
    lattice: 'M10 22H190M10 55H176M10 88H186M10 121H160M10 154H96',
    stem: 'M60 170C58 148 84 140 82 116S54 84 76 64S120 52 124 26',
    leaves: [
      { x: 80, y: 128, turn: -20, size: 1.1, tone: 'deep', flip: true },
      { x: 72, y: 92, turn: -160, size: 1, tone: 'mid' },
      { x: 92, y: 56, turn: 20, size: 1, tone: 'deep', flip: true },
      { x: 84, y: 59, turn: -125, size: 0.9, tone: 'light' },
      { x: 124, y: 28, turn: -70, size: 0.7, tone: 'light' },
    ],
  },
  /** A month as a lattice, with what happens in it: events. */
  events: {
    name: 'calendar',
    box: '0 0 200 176',
    lattice: 'M8 40H192M8 84H192M8 128H192M8 170H192M30 8V172M76 8V172M124 8V172M170 8V172',
    leaves: [
      { x: 42, y: 118, turn: -45, size: 0.6, tone: 'light' },
      { x: 90, y: 76, turn: -45, size: 0.6, tone: 'mid' },
      { x: 138, y: 160, turn: -45, size: 0.6, tone: 'deep' },
    ],
    flowers: [{ x: 147, y: 63, size: 1.8 }],
  },
  /** One, two and three pairs of leaves: plans that cost more and include more. */
  pricing: {
    name: 'stacks',
    box: '0 0 200 176',
    lattice: 'M8 60H192M8 112H192M8 164H192M44 10V170M100 10V170M156 10V170',
    stem: 'M44 164V150M100 164V114M156 164V42',
    leaves: [
      { x: 44, y: 150, turn: -30, size: 0.6, tone: 'mid' },
      { x: 44, y: 150, turn: -150, size: 0.6, tone: 'mid', flip: true },
      { x: 44, y: 150, turn: -84, size: 0.45, tone: 'light' },
      { x: 100, y: 150, turn: -30, size: 0.6, tone: 'deep' },
      { x: 100, y: 150, turn: -150, size: 0.6, tone: 'deep', flip: true },
      { x: 100, y: 114, turn: -30, size: 0.6, tone: 'mid' },
      { x: 100, y: 114, turn: -150, size: 0.6, tone: 'mid', flip: true },
      { x: 100, y: 114, turn: -84, size: 0.45, tone: 'light' },
      { x: 156, y: 150, turn: -30, size: 0.6, tone: 'deep' },
      { x: 156, y: 150, turn: -150, size: 0.6, tone: 'deep', flip: true },
      { x: 156, y: 114, turn: -30, size: 0.6, tone: 'mid' },
      { x: 156, y: 114, turn: -150, size: 0.6, tone: 'mid', flip: true },
      { x: 156, y: 78, turn: -30, size: 0.6, tone: 'light' },
      { x: 156, y: 78, turn: -150, size: 0.6, tone: 'light', flip: true },
    ],
    flowers: [{ x: 156, y: 42, size: 1.3 }],
  },
  /** A front page with a sprig for its picture: news for the press. */
  press: {
    name: 'newspaper',
    box: '0 0 200 176',
    lattice:
      'M24 10H176a10 10 0 0 1 10 10V158a10 10 0 0 1-10 10H24a10 10 0 0 1-10-10V20a10 10 0 0 1 10-10zM36 33H164a3 3 0 0 1 0 6H36a3 3 0 0 1 0-6zM36 68H84M36 90H84M36 112H84M36 134H84M112 148H164',
    stem: 'M134 128C130 110 142 104 138 90S140 74 142 70',
    leaves: [
      { x: 136, y: 112, turn: -35, size: 0.8, tone: 'deep', flip: true },
      { x: 138, y: 98, turn: -155, size: 0.8, tone: 'mid' },
      { x: 141, y: 74, turn: -75, size: 0.6, tone: 'light' },
    ],
  },
  /** Quotation marks made of leaves. */
  testimonials: {
    name: 'quoted',
    box: '0 0 200 176',
    lattice: 'M10 24H190M10 88H190M10 152H190M24 8V172M100 8V172M176 8V172',
    stem: 'M32 64C28 48 36 40 48 38M66 64C62 48 70 40 82 38M134 112C138 128 130 136 118 138M168 112C172 128 164 136 152 138',
    leaves: [
      { x: 32, y: 62, turn: 82, size: 1.25, tone: 'deep' },
      { x: 66, y: 62, turn: 82, size: 1.25, tone: 'light' },
      { x: 134, y: 114, turn: -98, size: 1.25, tone: 'mid' },
      { x: 168, y: 114, turn: -98, size: 1.25, tone: 'deep' },
    ],
  },
  /** Five plants on one lattice at different stages: a community's businesses. */
  development: {
    name: 'neighbourhood',
    box: '0 0 204 176',
    widths: [6, 3.6],
    lattice: 'M6 24H198M6 70H198M6 116H198M6 162H198M45 8V172M83 8V172M121 8V172M159 8V172',
    stem: 'M26 170C16 150 36 152 26 112M64 170C54 150 74 104 64 64M102 170C92 150 112 132 102 92M140 170C130 150 150 80 140 40M178 170C168 150 188 166 178 126',
    leaves: [
      { x: 25, y: 148, turn: -30, size: 0.55, tone: 'mid', flip: true },
      { x: 26, y: 132, turn: -150, size: 0.55, tone: 'deep' },
      { x: 26, y: 115, turn: -75, size: 0.5, tone: 'light' },
      { x: 63, y: 148, turn: -30, size: 0.55, tone: 'mid', flip: true },
      { x: 64, y: 132, turn: -150, size: 0.55, tone: 'deep' },
      { x: 66, y: 104, turn: -30, size: 0.5, tone: 'light', flip: true },
      { x: 101, y: 148, turn: -30, size: 0.55, tone: 'mid', flip: true },
      { x: 102, y: 132, turn: -150, size: 0.55, tone: 'deep' },
      { x: 102, y: 95, turn: -75, size: 0.5, tone: 'light' },
      { x: 139, y: 148, turn: -30, size: 0.55, tone: 'mid', flip: true },
      { x: 140, y: 132, turn: -150, size: 0.55, tone: 'deep' },
      { x: 142, y: 104, turn: -30, size: 0.5, tone: 'light', flip: true },
      { x: 141, y: 80, turn: -150, size: 0.5, tone: 'mid' },
      { x: 177, y: 148, turn: -30, size: 0.55, tone: 'mid', flip: true },
      { x: 178, y: 129, turn: -75, size: 0.5, tone: 'light' },
    ],
    flowers: [
      { x: 64, y: 64, size: 1.2 },
      { x: 140, y: 40, size: 1.2 },
    ],
  },
  /** An envelope with a sprig for its seal: write to us. */
  contact: {
    name: 'letter',
    box: '0 0 204 160',
    lattice:
      'M24 18H180a12 12 0 0 1 12 12V130a12 12 0 0 1-12 12H24a12 12 0 0 1-12-12V30a12 12 0 0 1 12-12zM16 26L102 94L188 26M18 136L76 78M186 136L128 78',
    stem: 'M102 126C100 112 104 104 102 88',
    leaves: [
      { x: 102, y: 110, turn: -30, size: 1, tone: 'mid', flip: true },
      { x: 102, y: 102, turn: -150, size: 1, tone: 'deep' },
      { x: 102, y: 92, turn: -85, size: 0.9, tone: 'light' },
    ],
  },
  /** A signpost whose arms are leaves: guides. */
  guides: {
    name: 'signpost',
    box: '0 0 200 176',
    widths: [8, 4],
    lattice: 'M100 12V170M44 170H156',
    stem: 'M76 168C74 148 124 142 122 118S78 94 80 74S112 52 104 34',
    front: 'M100 138V146M100 92V100',
    leaves: [
      { x: 122, y: 116, turn: -4, size: 1.6, tone: 'deep' },
      { x: 80, y: 76, turn: 184, size: 1.6, tone: 'mid', flip: true },
      { x: 106, y: 42, turn: -6, size: 1.3, tone: 'light' },
    ],
  },
  /** A stem along the bars with one leaf in each bay: a monthly newsletter. */
  newsletter: {
    name: 'months',
    box: '0 0 210 150',
    lattice: 'M6 34H204M6 112H204M24 8V142M64 8V142M104 8V142M144 8V142M184 8V142',
    stem: 'M4 92C18 70 30 66 44 84S70 96 84 78S112 66 124 82S152 92 164 74S190 66 198 58',
    leaves: [
      { x: 24, y: 74, turn: -55, size: 0.85, tone: 'deep' },
      { x: 64, y: 88, turn: -55, size: 0.85, tone: 'mid' },
      { x: 104, y: 71, turn: -55, size: 0.85, tone: 'light' },
      { x: 144, y: 86, turn: -55, size: 0.85, tone: 'mid' },
      { x: 180, y: 68, turn: -55, size: 0.85, tone: 'light' },
    ],
  },
} satisfies Record<string, Picture>;

export type Section = keyof typeof sections;

/** Plants on a lattice, as data for Drawing. */
import type { Picture } from './Drawing.tsx';

/** Three vines growing on a lattice. */
export const trellis: Picture = {
  name: 'trellis',
  box: '0 -12 480 464',
  widths: [6.5, 4],
  lattice:
    'M4 32h472M4 88h472M4 144h472M4 200h472M4 256h472M4 312h472M4 368h472M4 424h472M24 10v426M78 10v426M132 10v426M186 10v426M240 10v426M294 10v426M348 10v426M402 10v426M456 10v426',
  stem: 'M80 446C82 436 80 406 90 384S134 339 138 316S110 270 116 248S160 207 172 186S186 141 190 120S187 78 196 62S238 30 246 24M246 446C248 436 247 410 256 388S297 337 302 312S279 263 284 240S322 196 334 176S352 136 356 118S351 83 360 70S403 47 412 42M382 446C383 436 385 407 390 388S411 349 412 330S394 294 398 276S425 242 434 224S449 176 452 166',
  front: 'M176 144h20M90 368h20M346 88h20M304 200h20M238 424h20M399 256h20',
  leaves: [
    { x: 116, y: 350, turn: 5, size: 1.2, tone: 'mid', flip: true },
    { x: 138, y: 309, turn: -145, size: 1.15, tone: 'light' },
    { x: 118, y: 265, turn: -60, size: 1.18, tone: 'deep', flip: true },
    { x: 119, y: 242, turn: -115, size: 1, tone: 'mid' },
    { x: 159, y: 202, turn: 10, size: 1.1, tone: 'mid', flip: true },
    { x: 181, y: 166, turn: -125, size: 1.15, tone: 'light' },
    { x: 191, y: 101, turn: -40, size: 1.16, tone: 'deep', flip: true },
    { x: 194, y: 67, turn: -120, size: 1, tone: 'mid' },
    { x: 246, y: 24, turn: -37, size: 1.1, tone: 'light' },
    { x: 300, y: 320, turn: -15, size: 1.22, tone: 'deep', flip: true },
    { x: 301, y: 297, turn: -155, size: 1.15, tone: 'mid' },
    { x: 284, y: 240, turn: -25, size: 1.05, tone: 'light', flip: true },
    { x: 307, y: 207, turn: 5, size: 1, tone: 'mid', flip: true },
    { x: 337, y: 170, turn: -115, size: 1.12, tone: 'deep' },
    { x: 357, y: 113, turn: -30, size: 1.16, tone: 'mid', flip: true },
    { x: 356, y: 78, turn: -130, size: 1, tone: 'light' },
    { x: 412, y: 42, turn: -28, size: 1.05, tone: 'mid' },
    { x: 400, y: 365, turn: -10, size: 1.1, tone: 'light', flip: true },
    { x: 410, y: 341, turn: -125, size: 1, tone: 'mid' },
    { x: 398, y: 281, turn: -40, size: 1, tone: 'deep', flip: true },
    { x: 439, y: 212, turn: -120, size: 0.9, tone: 'mid' },
    { x: 452, y: 166, turn: -73, size: 0.9, tone: 'light' },
  ],
  flowers: [
    { x: 104, y: 291, size: 1.15 },
    { x: 235, y: 54, size: 1.35 },
    { x: 354, y: 195, size: 1.25 },
    { x: 434, y: 262, size: 1.1 },
  ],
};

/** A vine with no bar to hold on to, for "page not found". */
export const broken: Picture = {
  name: 'broken',
  box: '0 0 260 250',
  widths: [6.5, 4],
  lattice:
    'M28 14v226M84 14v226M140 128v112M140 14v26M196 200v40M196 14v54M236 14v226M10 40h240M10 96h84M228 96h22M10 152h110M214 152h36M10 208h240',
  stem: 'M60 246C61 240 60 223 66 210S93 183 96 168S80 135 84 122S105 96 118 92S149 89 160 96S182 120 186 132S184 162 184 168',
  leaves: [
    { x: 82, y: 190, turn: 5, size: 1, tone: 'deep', flip: true },
    { x: 96, y: 159, turn: -155, size: 1.05, tone: 'light' },
    { x: 88, y: 114, turn: -110, size: 1, tone: 'mid' },
    { x: 114, y: 94, turn: 30, size: 0.95, tone: 'deep', flip: true },
    { x: 152, y: 93, turn: -35, size: 1, tone: 'light' },
    { x: 185, y: 128, turn: 15, size: 0.9, tone: 'mid' },
    { x: 184, y: 167, turn: 96, size: 0.85, tone: 'light' },
  ],
};

/** A small sprig, for empty states: something could grow here. */
export const sprig: Picture = {
  name: 'sprig',
  box: '0 0 120 80',
  widths: [6, 3],
  stem: 'M6 70C30 72 38 58 54 52S86 44 98 26',
  leaves: [
    { x: 47, y: 55, turn: -78, size: 0.78, tone: 'light' },
    { x: 64, y: 49, turn: 28, size: 0.86, tone: 'mid', flip: true },
    { x: 82, y: 41, turn: -100, size: 0.7, tone: 'deep' },
    { x: 96, y: 29, turn: -42, size: 0.62, tone: 'mid' },
  ],
};

/** A plant tied to a stake, which supports it as it grows. */
export const stake: Picture = {
  name: 'stake',
  box: '0 0 170 266',
  widths: [7, 4],
  lattice: 'M85 262V14',
  stem: 'M70 262C70 257 67 244 72 232S98 206 98 192S70 164 70 150S97 122 98 108S75 80 76 68S99 40 104 34',
  ties: 'M77 169l16 6M77 126l16 6M77 86l16 6',
  leaves: [
    { x: 93, y: 204, turn: -5, size: 1.1, tone: 'mid', flip: true },
    { x: 97, y: 188, turn: -60, size: 1, tone: 'deep', flip: true },
    { x: 71, y: 154, turn: -160, size: 1.15, tone: 'light' },
    { x: 97, y: 112, turn: -15, size: 1.1, tone: 'mid', flip: true },
    { x: 76, y: 72, turn: -155, size: 1, tone: 'deep' },
    { x: 85, y: 52, turn: 5, size: 0.9, tone: 'light', flip: true },
    { x: 92, y: 47, turn: -120, size: 0.7, tone: 'mid' },
  ],
  flowers: [{ x: 106, y: 30, size: 1.5 }],
};

const sapling = {
  name: 'growth',
  box: '0 0 80 90',
  widths: [4.5, 3],
  lattice: 'M18 6v78M62 6v78M4 26h72M4 64h72',
} as const;

/** Stages of growth: a sprout, a plant, a plant in flower. */
export const growth: readonly [Picture, Picture, Picture] = [
  {
    ...sapling,
    stem: 'M40 84C40 76 40 70 41 64',
    leaves: [
      { x: 41, y: 66, turn: -28, size: 0.55, tone: 'mid', flip: true },
      { x: 41, y: 66, turn: -146, size: 0.5, tone: 'light' },
    ],
  },
  {
    ...sapling,
    stem: 'M40 84C36 68 46 58 42 44S40 34 42 30',
    leaves: [
      { x: 41, y: 62, turn: -18, size: 0.66, tone: 'deep', flip: true },
      { x: 43, y: 52, turn: -150, size: 0.62, tone: 'light' },
      { x: 42, y: 40, turn: -24, size: 0.6, tone: 'mid', flip: true },
      { x: 42, y: 31, turn: -96, size: 0.5, tone: 'light' },
    ],
  },
  {
    ...sapling,
    stem: 'M40 84C34 66 50 56 42 40S40 22 46 12',
    leaves: [
      { x: 41, y: 62, turn: -18, size: 0.66, tone: 'deep', flip: true },
      { x: 43, y: 52, turn: -150, size: 0.62, tone: 'light' },
      { x: 42, y: 40, turn: -24, size: 0.6, tone: 'mid', flip: true },
      { x: 41, y: 32, turn: -160, size: 0.56, tone: 'mid' },
    ],
    flowers: [{ x: 47, y: 13, size: 1.15 }],
  },
];

const panel = {
  name: 'growing',
  box: '0 0 120 132',
  widths: [5, 3.2],
  lattice: 'M0 24H120M0 70H120M0 116H120M30 4V132M90 4V132',
} as const;

/** A plant that gains a leaf with each step. Side by side, the panels form one lattice. */
export const growing: readonly [Picture, Picture, Picture, Picture, Picture] = [
  {
    ...panel,
    stem: 'M60 128C61 124 63 108 64 104',
    leaves: [
      { x: 63, y: 108, turn: -30, size: 0.7, tone: 'mid', flip: true },
      { x: 64, y: 104, turn: -81, size: 0.55, tone: 'light' },
    ],
  },
  {
    ...panel,
    stem: 'M60 128C61 124 65 111 64 104S54 87 52 84',
    leaves: [
      { x: 64, y: 109, turn: -35, size: 0.7, tone: 'mid', flip: true },
      { x: 57, y: 90, turn: -180, size: 0.75, tone: 'light' },
      { x: 52, y: 84, turn: -121, size: 0.55, tone: 'light' },
    ],
  },
  {
    ...panel,
    stem: 'M60 128C61 124 65 111 64 104S51 91 52 84S65 66 68 62',
    leaves: [
      { x: 64, y: 109, turn: -35, size: 0.7, tone: 'mid', flip: true },
      { x: 56, y: 92, turn: -180, size: 0.75, tone: 'light' },
      { x: 57, y: 74, turn: 0, size: 0.75, tone: 'deep', flip: true },
      { x: 68, y: 62, turn: -54, size: 0.55, tone: 'light' },
    ],
  },
  {
    ...panel,
    stem: 'M60 128C61 124 65 111 64 104S51 91 52 84S68 69 68 62S56 45 54 42',
    leaves: [
      { x: 64, y: 109, turn: -35, size: 0.7, tone: 'mid', flip: true },
      { x: 56, y: 92, turn: -180, size: 0.75, tone: 'light' },
      { x: 58, y: 75, turn: 5, size: 0.75, tone: 'deep', flip: true },
      { x: 66, y: 55, turn: -175, size: 0.7, tone: 'mid' },
      { x: 54, y: 42, turn: -125, size: 0.55, tone: 'light' },
    ],
  },
  {
    ...panel,
    stem: 'M60 128C61 124 65 111 64 104S51 91 52 84S68 69 68 62S54 49 54 42S64 25 66 22',
    leaves: [
      { x: 64, y: 109, turn: -35, size: 0.7, tone: 'mid', flip: true },
      { x: 56, y: 92, turn: -180, size: 0.75, tone: 'light' },
      { x: 58, y: 75, turn: 5, size: 0.75, tone: 'deep', flip: true },
      { x: 65, y: 56, turn: -185, size: 0.7, tone: 'mid' },
      { x: 55, y: 38, turn: -15, size: 0.65, tone: 'light', flip: true },
    ],
    flowers: [{ x: 66, y: 20, size: 1.25 }],
  },
];

/** The outlines that every drawing uses, on pages (Drawing.tsx) and on social cards. */

/** A leaf 40 units long, growing to the right from 0,0. */
export const leafShape = 'M0 0C8-13 26-16 40-5C33 10 13 13 0 0Z';
export const leafVein = 'M4-.6C14-4.5 25-6 35-4.8';

/** The centers of a marigold's five petals, each 4.7 units in radius; the flower's radius is 11. */
export const petals = [0, 1, 2, 3, 4].map((n) => {
  const turn = (n * 2 * Math.PI) / 5 - Math.PI / 2;
  return { cx: (5.6 * Math.cos(turn)).toFixed(1), cy: (5.6 * Math.sin(turn)).toFixed(1) };
});

/** The bloom of eight areas: all petals as one path, and the top petal alone; 44 units long. */
export const bloomPetals =
  'M0-5C12-16 10-33 0-44S-12-16 0-5M4-4C20-3 30-16 31-31S3-20 4-4M5 0C16 12 33 10 44 0S16-12 5 0M4 4C3 20 16 30 31 31S20 3 4 4M0 5C-12 16-10 33 0 44S12 16 0 5M-4 4C-20 3-30 16-31 31S-3 20-4 4M-5 0C-16-12-33-10-44 0S-16 12-5 0M-4-4C-3-20-16-30-31-31S-20-3-4-4';
export const bloomPetal = 'M0-5C12-16 10-33 0-44S-12-16 0-5';

/** The brand mark, 32 by 32: lattice, stem, a dark leaf and a lighter one. */
export const mark = {
  lattice: 'M9 3v26M23 3v26M3 9h26M3 23h26',
  stem: 'M16 29V16',
  left: 'M16 20C9 20 5.5 15 6 7.5C13 8 16.5 12.5 16 20Z',
  right: 'M16 17C16 10.5 19.5 6.5 26 6C26.5 12.5 23 17 16 17Z',
};

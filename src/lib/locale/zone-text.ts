/** Time zones in words that are the same on every runtime, which the zones' own names are not. */

/** The place that a zone (an IANA name) is named for: "Denver" of `America/Denver`. */
export const placeOf = (zone: string): string =>
  zone
    .replace(/^\w+\//, '')
    .replaceAll('_', ' ')
    .split('/')
    .toReversed()
    .join(', ');

/** "Denver time" */
export const zoneText = (zone: string): string => (zone === 'UTC' ? zone : `${placeOf(zone)} time`);

/** What the parts of the owner's page need to know about who reads it, and when. */
export interface Reader {
  /** Their IANA time zone. */
  timeZone: string;
  /** ISO 8601: when the page was rendered, so that the server and the browser show the same. */
  now: string;
  /** Their current day: `2026-11-21`. */
  today: string;
  /** Names of languages by BCP 47 code, because browsers name some of them differently. */
  languages: Record<string, string>;
}

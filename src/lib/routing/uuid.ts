/** A UUID of any version, as the source of a regular expression. */
export const UUID = '[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}';

const WHOLE = new RegExp(`^${UUID}$`);

/** Whether a string is formatted like a UUID of any version. */
export const isUuid = (text: string) => WHOLE.test(text);

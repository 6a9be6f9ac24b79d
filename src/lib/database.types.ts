// biome-ignore lint/suspicious/noExplicitAny: replaced by what `npm run db:types` writes
export type Database = any;

/** What someone is to a business: a member, or its coach. */
import * as v from 'valibot';
import { BUSINESS_ROLES } from '#domain/business.ts';

/** The user's role in a business; null for the coach, who can only read. */
export const businessRole = v.nullable(v.picklist(BUSINESS_ROLES));

/** The client of a coach at a business: the engagement's id, and the owner as they want to be called. */
export const businessClient = v.nullable(
  v.object({ id: v.string(), name: v.nullable(v.string()) }),
);
export type BusinessClient = v.InferOutput<typeof businessClient>;

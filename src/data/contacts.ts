/** Contacts, for admins: people who wrote, subscribed, registered or were imported. */
import * as v from 'valibot';
import { ACCOUNT_STATES } from '#domain/admin-people.ts';
import {
  CONSENTS,
  CONTACT_SOURCES,
  CONTACT_STATES,
  type ContactFilter,
  MESSAGE_OUTCOMES,
  type MessageOutcome,
} from '#domain/contact.ts';
import { RECORD_STATES } from '#domain/hubspot.ts';
import { ignored, rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { listedRow, readAdminList } from './admin-lists.ts';

const consent = {
  consent: v.picklist(CONSENTS),
  consented_at: v.nullable(v.string()),
  left_at: v.nullable(v.string()),
  /** When a mail server said that there's no such mailbox. */
  bounced_at: v.nullable(v.string()),
  /** What they agreed to, word for word. */
  consent_wording: v.nullable(v.string()),
};

/** How far they are in HubSpot; null if they're never sent. */
const hubspot = v.nullable(
  v.object({
    state: v.picklist(RECORD_STATES),
    reason: v.nullable(v.string()),
    sent_at: v.nullable(v.string()),
  }),
);

export const listedContact = listedRow({
  name: v.nullable(v.string()),
  email: v.string(),
  /** Their account, if they have one. */
  user_id: v.nullable(v.string()),
  sources: v.array(v.picklist(CONTACT_SOURCES)),
  ...consent,
  businesses: v.array(v.string()),
  state: v.picklist(CONTACT_STATES),
  /** How many of their messages wait for an answer. */
  waiting: v.number(),
  /** Whether another contact may be the same person. */
  has_twin: v.boolean(),
  active_at: v.string(),
  hubspot,
});
export type ListedContact = v.InferOutput<typeof listedContact>;

const contactMessage = v.object({
  id: v.string(),
  topic: v.string(),
  body: v.string(),
  created_at: v.string(),
  /** The address it came from, and where an answer goes. */
  from: v.string(),
  outcome: v.nullable(v.picklist(MESSAGE_OUTCOMES)),
  answer: v.nullable(v.string()),
  answered_at: v.nullable(v.string()),
  answered_by: v.nullable(v.string()),
});
export type ContactMessage = v.InferOutput<typeof contactMessage>;

export const contactPage = v.object({
  id: v.string(),
  name: v.nullable(v.string()),
  email: v.string(),
  /** Addresses of contacts that were merged into this one. */
  other_emails: v.array(v.string()),
  phone: v.nullable(v.string()),
  /** As they wrote it. */
  business: v.nullable(v.string()),
  user_id: v.nullable(v.string()),
  account_state: v.nullable(v.picklist(ACCOUNT_STATES)),
  ...consent,
  imported_at: v.nullable(v.string()),
  created_at: v.string(),
  active_at: v.string(),
  hubspot,
  businesses: v.array(
    v.object({
      id: v.string(),
      name: v.string(),
      /** `invited`: imported, and waits until they accept it. */
      role: v.picklist(['owner', 'member', 'invited']),
    }),
  ),
  /** The latest 100, newest first. */
  messages: v.array(contactMessage),
  twins: v.array(
    v.object({
      id: v.string(),
      name: v.nullable(v.string()),
      email: v.string(),
      registered: v.boolean(),
      same: v.picklist(['mailbox', 'business', 'phone']),
    }),
  ),
});
export type ContactPage = v.InferOutput<typeof contactPage>;

const contactMerge = v.object({
  /** Why they can't be merged this way. */
  refusal: v.nullable(v.string()),
  email: v.string(),
  other_email: v.string(),
  name: v.nullable(v.string()),
  business: v.nullable(v.string()),
  phone: v.nullable(v.string()),
  /** Of both together. */
  messages: v.number(),
  /** What's left, and what each had. */
  consent: v.picklist(CONSENTS),
  was_subscribed: v.boolean(),
  other_consent: v.picklist(CONSENTS),
});
export type ContactMerge = v.InferOutput<typeof contactMerge>;

/** A page of contacts. Throws an AppError. */
export const listContacts = (db: Db, filter: ContactFilter, limit?: number) =>
  readAdminList(db, 'admin_contacts', listedContact, filter, limit);

/** One contact. Throws an AppError, `not-found` if there's none. */
export const getContact = (db: Db, id: string) =>
  rpc(db, 'admin_contact', contactPage, { p_id: id });

/** Emails an answer to a message, once. Throws an AppError. */
export const answerContactMessage = (db: Db, id: string, answer: string) =>
  rpc(db, 'answer_contact_message', contactMessage, { p_id: id, p_answer: answer });

/** Says what became of a message without an email; null: it waits after all. Throws an AppError. */
export const setContactMessageOutcome = (
  db: Db,
  id: string,
  outcome: Exclude<MessageOutcome, 'replied'> | null,
) =>
  rpc(db, 'set_contact_message_outcome', contactMessage, {
    p_id: id,
    // The generated types don't know that arguments can be null.
    p_outcome: outcome as string,
  });

/** What merging the other contact into this one would leave. Throws an AppError. */
export const getContactMerge = (db: Db, keep: string, drop: string) =>
  rpc(db, 'admin_contact_merge', contactMerge, { p_keep: keep, p_drop: drop });

/** Merges the other contact into this one, for good. Throws an AppError. */
export const mergeContacts = (db: Db, keep: string, drop: string, reason: string) =>
  rpc(db, 'merge_contacts', ignored, { p_keep: keep, p_drop: drop, p_reason: reason });

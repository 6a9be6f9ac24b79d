/** The outbox of the person who is signed in, with the senders of a page. */
import { finishAttempt, saveAnswers, saveConfidences } from '#data/attempts.ts';
import { savePlanField } from '#data/business-plans.ts';
import { createBusiness, saveBusinessFact } from '#data/businesses.ts';
import { createMessage, saveMessageDraft } from '#data/messages.ts';
import { getUserId } from '#data/session.ts';
import { db } from '#lib/db.ts';
import type { FactField } from '#lib/schemas.ts';
import { holdUnsaved } from '#lib/unsaved.ts';
import { createOutbox, type Outbox } from '#sync/outbox.ts';
import type { OutboxEnvironment } from '#sync/outbox-environment.ts';
import {
  type BegunBusiness,
  classify,
  type OutboxDeps,
  type OutboxNews,
  sendersOf,
} from './outbox-senders.ts';
import { whenSignedIn } from './when-back.ts';

export type { BegunBusiness, OutboxDeps } from './outbox-senders.ts';

/** The deps of a page. supabase-js is loaded when something is sent, not before. */
export const pageDeps: OutboxDeps = {
  saveAnswers: async (answers) => saveAnswers(await db(), answers),
  saveConfidences: async (ratings) => saveConfidences(await db(), ratings),
  finishAttempt: async (id) => finishAttempt(await db(), id),
  signedInAs: async () => getUserId(await db()),
  saveBusiness: async (begun) => saveBegun(begun),
  saveFact: async (change) => saveBusinessFact(await db(), change),
  savePlanField: async (change) => savePlanField(await db(), change),
  sendMessage: async (message) => createMessage(await db(), message),
  saveDraft: async (draft) => saveMessageDraft(await db(), draft),
  // Few pages write to projects: the others load how it is done when something waits.
  addTask: async ({ projectId, ...task }) => {
    const [{ createProjectTask }, client] = await Promise.all([
      import('#data/project-tasks.ts'),
      db(),
    ]);
    return createProjectTask(client, projectId, task);
  },
  addUpdate: async (update) => {
    const [{ createProjectUpdate }, client] = await Promise.all([
      import('#data/projects.ts'),
      db(),
    ]);
    return createProjectUpdate(client, update);
  },
};

/** Makes the business, or finds it made; then saves what has changed since it was first sent. */
async function saveBegun({ id, input, earlier }: BegunBusiness): Promise<void> {
  const client = await db();
  await createBusiness(client, id, input);
  const now: Partial<Record<FactField, string>> = {
    name: input.name,
    trading: input.trading,
    postal_code: input.postalCode,
    help_wanted: input.helpWanted,
  };
  for (const [field, known] of Object.entries(earlier) as [FactField, string[]][]) {
    await saveBusinessFact(client, { business_id: id, field, value: now[field] ?? '', known });
  }
}

/**
 * Opens the outbox of a person: what waits in it is sent at once, and again until it arrived. Any
 * number of pages may have it open; one of them sends.
 * @param owner the person's id
 * @param news called with what this page has sent
 */
export function openOutbox(
  owner: string,
  deps: OutboxDeps = pageDeps,
  environment?: OutboxEnvironment,
  news: OutboxNews = {},
): Outbox {
  const senders = sendersOf(deps, news);
  const outbox = createOutbox({
    owner,
    senders,
    classify,
    signedInAs: deps.signedInAs,
    ...(environment && { environment }),
  });
  return goingOnWhenBack(holdingUnsaved(outbox, (kind) => kind in senders));
}

/** What waits for the person goes out when they have signed in again. */
function goingOnWhenBack(outbox: Outbox): Outbox {
  const stop = whenSignedIn(outbox.flush);
  return {
    ...outbox,
    close() {
      stop();
      outbox.close();
    },
  };
}

/**
 * The page counts as unsaved while an entry is on its way. Refused ones go nowhere, and so does what
 * this page cannot send: it stays kept for a page that can.
 */
function holdingUnsaved(outbox: Outbox, sends: (kind: string) => boolean): Outbox {
  let release: (() => void) | null = null;
  const stop = outbox.$entries.subscribe((entries) => {
    const waits = entries.some(({ kind, refused }) => refused === undefined && sends(kind));
    if (waits) {
      release ??= holdUnsaved();
    } else {
      release?.();
      release = null;
    }
  });
  return {
    ...outbox,
    close() {
      stop();
      release?.();
      outbox.close();
    },
  };
}

import * as v from 'valibot';
import { type Database, queryOne } from '../connection.ts';
import type { HubSpot } from '../hubspot.ts';
import { RemoteError } from '../remote-api.ts';
import { writeInHalves } from './hubspot-batches.ts';

const taken = v.array(
  v.object({
    contact_id: v.string(),
    company_id: v.string(),
    contact_ref: v.string(),
    company_ref: v.string(),
    is_wanted: v.boolean(),
  }),
);
type Taken = v.InferOutput<typeof taken>[number];

/** Links a batch of contacts to their companies, or unlinks them. Resolves to whether any was left. */
export async function sendLinks(db: Database, client: HubSpot): Promise<boolean> {
  const row = await queryOne<{ taken: unknown }>(db)`select private.take_hubspot_links() as taken`;
  const pairs = v.parse(taken, row?.taken);
  if (pairs.length === 0) return false;
  const reasons = new Map<Taken, string | null>();
  try {
    for (const pair of pairs.filter(({ is_wanted }) => !is_wanted)) {
      await unlink(client, pair);
      reasons.set(pair, null);
    }
    const wanted = pairs.filter(({ is_wanted }) => is_wanted);
    const write = async (some: readonly Taken[]) => {
      const done = await client.link(
        some.map(({ contact_ref, company_ref }) => ({
          contact: contact_ref,
          company: company_ref,
        })),
      );
      const keys = new Set(done.map(({ contact, company }) => `${contact} ${company}`));
      return some.filter((pair) => {
        const isLinked = keys.has(`${pair.contact_ref} ${pair.company_ref}`);
        if (isLinked) reasons.set(pair, null);
        return !isLinked;
      });
    };
    if (wanted.length > 0) {
      await writeInHalves(wanted, write, (pair, reason) => void reasons.set(pair, reason));
    }
  } finally {
    const rows = [...reasons].map(([{ contact_id, company_id, is_wanted }, reason]) => ({
      ...{ contact_id, company_id, is_wanted, reason },
    }));
    await queryOne(db)`select private.keep_hubspot_links(${JSON.stringify(rows)}::jsonb)`;
  }
  return true;
}

/** Already unlinked is fine. */
async function unlink(client: HubSpot, { contact_ref, company_ref }: Taken): Promise<void> {
  await client.unlink(contact_ref, company_ref).catch((error: unknown) => {
    if (!(error instanceof RemoteError) || error.why !== 'gone') throw error;
  });
}

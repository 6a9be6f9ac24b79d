import { sendWith } from './kind.ts';
import { KINDS } from './kinds/index.ts';
import { Sync } from './sync.ts';

let page: { owner: string; sync: Sync } | null = null;

/**
 * The write pipeline of this page, which all of its islands share. Called in a browser; whatever any
 * page left unsent goes out from here.
 * @param owner the id of the person
 */
export function pageSync(owner: string): Sync {
  if (page?.owner !== owner) {
    page?.sync.close();
    const sync = new Sync({ owner, kinds: KINDS, signedInAs });
    guardMemory(sync);
    page = { owner, sync };
  }
  return page.sync;
}

/** Who is signed in, asked when something is sent. */
const signedInAs = (): Promise<string | null> =>
  sendWith(
    () => import('#data/session.ts'),
    ({ getUserId }, client) => getUserId(client),
  );

/** The browser asks before a page is left that holds what it would not store. */
function guardMemory({ $unsent }: Sync): void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  $unsent.subscribe((entries) => {
    const isAtRisk = entries.some(({ memoryOnly, refused }) => memoryOnly && refused === undefined);
    if (isAtRisk) addEventListener('beforeunload', ask);
    else removeEventListener('beforeunload', ask);
  });
}

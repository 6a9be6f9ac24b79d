import { loadModule } from '#lib/browser/load-module.ts';
import { sendWith } from './kind.ts';
import { Sync } from './sync.ts';

let page: { owner: string; sync: Sync } | null = null;

/**
 * The write pipeline that all islands of this page share. Browser only. It also sends what other
 * pages left unsent.
 * @param owner the person's id
 */
export function pageSync(owner: string): Sync {
  if (page?.owner !== owner) {
    page?.sync.close();
    const sync = new Sync({ owner, loadKinds, signedInAs });
    guardMemory(sync);
    page = { owner, sync };
  }
  return page.sync;
}

/** Loads the kinds of other pages. Most pages have nothing of theirs to send. */
const loadKinds = async () => (await loadModule(() => import('./kinds/index.ts'))).KINDS;

/** The signed-in person's id, checked when something is sent. */
const signedInAs = (): Promise<string | null> =>
  sendWith(
    () => import('#data/session.ts'),
    ({ getUserId }, client) => getUserId(client),
  );

/** Shows the browser's warning on leaving a page with changes that it couldn't store. */
function guardMemory({ $unsent }: Sync): void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  $unsent.subscribe((entries) => {
    const isAtRisk = entries.some(({ memoryOnly, refused }) => memoryOnly && refused === undefined);
    if (isAtRisk) addEventListener('beforeunload', ask);
    else removeEventListener('beforeunload', ask);
  });
}

/** What was written on a project's page and has not arrived: kept in this browser until it has. */
import { atom } from 'nanostores';
import type { Outbox } from '#sync/outbox.ts';

interface Written {
  id: string;
  projectId: string;
}

/** Something that has not arrived yet; `refused` says why it never will. */
export type Waiting<Body extends Written> = Body & { refused: string | undefined };

/** Opens the outbox of the person; `sent` is called with what this page sends of one kind. */
export type OpenOutbox<Body, Answer> = (sent: (body: Body, answer: Answer) => void) => Outbox;

interface RoomDeps<Body, Answer> {
  /** Called once, in a browser. */
  openOutbox: OpenOutbox<Body, Answer>;
  signedOut: () => void;
  /** It is stored. `answer` is null where another tab has sent it. */
  arrived: (body: Body, answer: Answer | null) => void;
}

/** Makes the room of one project for one kind of writing. */
export function createWaitingRoom<Body extends Written, Answer>(
  deps: RoomDeps<Body, Answer>,
  kind: string,
  projectId: string,
) {
  const $waiting = atom<readonly Waiting<Body>[]>([]);
  const $state = atom<'sent' | 'sending' | 'waiting' | 'this-tab' | 'signed-out'>('sent');
  /** Whether something waits that the browser would not keep: it lives as long as this page. */
  const $fragile = atom(false);
  const unkept = new Set<string>();
  let outbox: Outbox | null = null;

  function restate() {
    const name = outbox?.$state.get().name ?? 'empty';
    const waits = $waiting.get().filter(({ refused }) => refused === undefined);
    $fragile.set(waits.some(({ id }) => unkept.has(id)));
    if (name === 'empty') $state.set('sent');
    else $state.set(name === 'waiting' && $fragile.get() ? 'this-tab' : name);
  }

  function follow(entries: Outbox['$entries']['value']) {
    const here = (entries ?? [])
      .filter((entry) => entry.kind === kind && (entry.body as Body).projectId === projectId)
      .map(({ body, refused }) => ({ ...(body as Body), refused }));
    const left = $waiting.get().filter(({ id }) => !here.some((each) => each.id === id));
    $waiting.set(here);
    restate();
    for (const { refused, ...body } of left) {
      if (refused === undefined) deps.arrived(body as unknown as Body, null);
    }
  }

  /** Follows the outbox; gives the end of it. */
  function open(): () => void {
    const opened = deps.openOutbox((body, answer) => {
      if (body.projectId === projectId) deps.arrived(body, answer);
    });
    outbox = opened;
    const stopEntries = opened.$entries.subscribe(follow);
    const stopState = opened.$state.subscribe(({ name }) => {
      if (name === 'signed-out') deps.signedOut();
      restate();
    });
    return () => {
      stopEntries();
      stopState();
      opened.close();
      outbox = null;
    };
  }

  return {
    $waiting,
    $state,
    $fragile,
    open,
    /** Keeps it in this browser and sends it, now or when that is possible. */
    put(body: Body): void {
      if (outbox?.put(kind, body.id, body) === 'this-tab') unkept.add(body.id);
      restate();
    },
    /** Forgets what was refused. */
    drop: (id: string) => outbox?.drop(kind, id),
  };
}

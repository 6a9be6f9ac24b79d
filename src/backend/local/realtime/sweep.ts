import { type Database, query } from '#backend/supabase/functions/_shared/connection.ts';
import { TokenError } from '../auth/tokens.ts';
import { type AccessChecker, mayRead, PolicyFailed } from './access.ts';
import { type Channels, type Member, PREFIX } from './channels.ts';
import type { RealtimeLimits } from './limits.ts';
import { isExpired, type RealtimeSocket, tokenReason, unauthorized } from './socket.ts';

interface SweepDeps {
  db: Database;
  checker: AccessChecker;
  sockets: ReadonlySet<RealtimeSocket>;
  channels: Channels;
  limits: RealtimeLimits;
  /** Called when the database has been unavailable for so long that permissions are unknown. */
  lost: () => void;
}

/** Keeps checking who may still be in their channels, and removes those who may not. */
export function startSweep(deps: SweepDeps): { stop(): void } {
  const { limits } = deps;
  const sweep = createSweep(deps);
  let timer: NodeJS.Timeout;
  let isStopped = false;
  function sweepIn(milliseconds: number): void {
    timer = setTimeout(async () => {
      const startedAt = performance.now();
      await sweep();
      // With many sockets a round takes longer, but it never uses more than a third of the time.
      const took = performance.now() - startedAt;
      if (!isStopped) sweepIn(Math.max(limits.recheck - took, took * 2));
    }, milliseconds).unref();
  }
  sweepIn(limits.recheck);
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/**
 * Creates the function that makes one round, in which each user and topic is checked once. While no
 * transaction has ended since the last check, only the clock can have changed anyone's access, so
 * the checks are less frequent.
 */
function createSweep(deps: SweepDeps) {
  const { db, checker, sockets, channels, limits, lost } = deps;
  /** How many times in a row a member's policies have failed. */
  const failures = new WeakMap<Member, number>();
  /** How many times in a row the database was unreachable. */
  let away = 0;
  let last = { snapshot: '', at: Number.NEGATIVE_INFINITY };

  return async function sweep(): Promise<void> {
    const members = endExpired(sockets);
    if (members.length === 0) return;
    try {
      const snapshot = await currentSnapshot(db);
      const at = performance.now();
      const isUnchanged = snapshot === last.snapshot && at - last.at < limits.recheckIdle;
      // A client that joins meanwhile is checked after this snapshot, so the next round covers it.
      if (!isUnchanged && (await recheck(members))) last = { snapshot, at };
      away = 0;
    } catch {
      away += 1;
      if (away >= limits.failedChecks) lost();
    }
  };

  /** Returns whether no policy failed. Throws if the database is unreachable. */
  async function recheck(members: Member[]): Promise<boolean> {
    const verdicts = new Map<string, ReturnType<AccessChecker['recheck']>>();
    const checks = members.map(async (member) => {
      const { caller, socket } = member;
      const topic = member.isPrivate ? member.topic.slice(PREFIX.length) : null;
      // For a client that only listens, write access is checked once it writes.
      const write = channels.isTracked(member);
      const name = `${write} ${topic ?? ''} ${JSON.stringify(caller)}`;
      const verdict = verdicts.get(name) ?? checker.recheck(caller, topic, write);
      verdicts.set(name, verdict);
      const reason = await reasonToEnd(deps, failures, member, verdict);
      // The client may have sent another token, or left, during the query.
      const isSame = socket.members.get(member.topic) === member && member.caller === caller;
      if (reason && isSame) socket.end(member, reason);
    });
    const failed = (await Promise.allSettled(checks)).find(({ status }) => status === 'rejected');
    if (failed) throw (failed as PromiseRejectedResult).reason;
    return !members.some((member) => failures.has(member));
  }
}

/** Why a member's channel ends, according to the database; null if it continues. */
async function reasonToEnd(
  { channels, limits }: SweepDeps,
  failures: WeakMap<Member, number>,
  member: Member,
  asked: ReturnType<AccessChecker['recheck']>,
): Promise<string | null> {
  const { caller } = member;
  const topic = member.isPrivate ? member.topic.slice(PREFIX.length) : '';
  try {
    const verdict = await asked;
    failures.delete(member);
    if (!verdict.session) return tokenReason(new TokenError('invalid'));
    if (!mayRead(verdict.access)) return unauthorized(topic);
    if (member.caller !== caller) return null;
    const { read, write } = verdict.access;
    member.access = { read, write: write ?? member.access.write };
    if (write) member.seenAt = performance.now();
    if (!member.access.write.presence) channels.untrack(member);
    return null;
  } catch (error) {
    if (!(error instanceof PolicyFailed)) throw error;
    // The next round checks it again; the other members don't have to wait.
    const times = (failures.get(member) ?? 0) + 1;
    failures.set(member, times);
    return times >= limits.failedChecks ? unauthorized(topic) : null;
  }
}

function endExpired(sockets: ReadonlySet<RealtimeSocket>): Member[] {
  const members: Member[] = [];
  for (const socket of sockets) {
    for (const member of [...socket.members.values()]) {
      if (isExpired(member)) socket.end(member, tokenReason(new TokenError('expired')));
      else members.push(member);
    }
  }
  return members;
}

/** Identifies what's been committed so far: if the text is unchanged, nothing new has been. */
async function currentSnapshot(db: Database): Promise<string> {
  const rows = await query<{ now: string }>(db)`select pg_current_snapshot()::text as now`;
  return rows[0]?.now ?? '';
}

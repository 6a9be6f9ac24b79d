import { sql } from 'kysely';
import type { Database } from '#backend/supabase/functions/_shared/connection.ts';
import { TokenError } from '../auth/tokens.ts';
import { type Doorman, mayHear, PolicyFailed } from './access.ts';
import { type Channels, type Member, PREFIX } from './channels.ts';
import type { RealtimeLimits } from './limits.ts';
import { isExpired, type RealtimeSocket, tokenReason, unauthorized } from './socket.ts';

export interface Sweep {
  stop(): void;
}

/**
 * Looks again and again at who may still be in their channels, and ends what has lost its token, its
 * session or its permission. All are asked about at once, each person and topic only once. While no
 * transaction has ended since the last look nothing can have changed but what depends on the clock,
 * so that is looked at more rarely.
 *
 * @param context.lost called when the database could not be asked for so long that nobody knows who
 * may hear what.
 */
export function startSweep(context: {
  db: Database;
  doorman: Doorman;
  sockets: ReadonlySet<RealtimeSocket>;
  channels: Channels;
  limits: RealtimeLimits;
  lost: () => void;
}): Sweep {
  const { db, doorman, sockets, channels, limits, lost } = context;
  /** How often in a row the policies of a channel failed. */
  const unsure = new WeakMap<Member, number>();
  /** How often in a row nobody could be asked. */
  let away = 0;
  let seen = { snapshot: '', at: Number.NEGATIVE_INFINITY };

  /** What has been committed so far; the same text as before means that nothing was. */
  async function snapshotNow(): Promise<string> {
    const {
      rows: [row],
    } = await sql<{ now: string }>`select pg_current_snapshot()::text as now`.execute(db);
    return row?.now ?? '';
  }

  async function lookAgain(): Promise<void> {
    const members: Member[] = [];
    for (const socket of sockets) {
      for (const member of [...socket.members.values()]) {
        if (isExpired(member)) socket.end(member, tokenReason(new TokenError('expired')));
        else members.push(member);
      }
    }
    if (members.length === 0) return;
    try {
      const snapshot = await snapshotNow();
      const now = performance.now();
      const same = snapshot === seen.snapshot && now - seen.at < limits.lookAgainIdle;
      if (!same) {
        // Whoever joins meanwhile is asked about later than this, so they are looked at too.
        const isSure = await lookAt(members);
        if (isSure) seen = { snapshot, at: now };
      }
      away = 0;
    } catch {
      away += 1;
      if (away >= limits.unsure) lost();
    }
  }

  /**
   * Gives whether every policy answered.
   * @throws when the database cannot be asked.
   */
  async function lookAt(members: Member[]): Promise<boolean> {
    let isSure = true;
    const verdicts = new Map<string, ReturnType<Doorman['askAgain']>>();
    const looks = members.map(async (member) => {
      const { caller, socket } = member;
      const topic = member.isPrivate ? member.topic.slice(PREFIX.length) : null;
      // Who only listens is asked about writing when they write.
      const write = channels.isTracked(member);
      const name = `${write} ${topic ?? ''} ${JSON.stringify(caller)}`;
      const asked = verdicts.get(name) ?? doorman.askAgain(caller, topic, write);
      verdicts.set(name, asked);
      const reason = await whyEnded(member, topic ?? '', asked);
      if (unsure.has(member)) isSure = false;
      // It may have shown another token, or left, while the database was asked.
      const isSame = socket.members.get(member.topic) === member && member.caller === caller;
      if (reason && isSame) socket.end(member, reason);
    });
    const failed = (await Promise.allSettled(looks)).find(({ status }) => status === 'rejected');
    if (failed) throw (failed as PromiseRejectedResult).reason;
    return isSure;
  }

  async function whyEnded(
    member: Member,
    topic: string,
    asked: ReturnType<Doorman['askAgain']>,
  ): Promise<string | null> {
    const { caller } = member;
    try {
      const verdict = await asked;
      unsure.delete(member);
      if (!verdict.session) return tokenReason(new TokenError('invalid'));
      if (!mayHear(verdict.access)) return unauthorized(topic);
      if (member.caller !== caller) return null;
      const { read, write } = verdict.access;
      member.access = { read, write: write ?? member.access.write };
      if (write) member.seenAt = performance.now();
      if (!member.access.write.presence) channels.untrack(member);
      return null;
    } catch (error) {
      if (!(error instanceof PolicyFailed)) throw error;
      // Asked again next round; the others are not kept waiting.
      const times = (unsure.get(member) ?? 0) + 1;
      unsure.set(member, times);
      return times >= limits.unsure ? unauthorized(topic) : null;
    }
  }

  let stopped = false;
  let timer: NodeJS.Timeout;
  function lookAgainIn(milliseconds: number): void {
    timer = setTimeout(async () => {
      const startedAt = performance.now();
      await lookAgain();
      // Many sockets take longer; looking after them never takes more than a third of the time.
      const took = performance.now() - startedAt;
      if (!stopped) lookAgainIn(Math.max(limits.lookAgain - took, took * 2));
    }, milliseconds);
    timer.unref();
  }
  lookAgainIn(limits.lookAgain);

  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

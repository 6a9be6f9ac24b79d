import type { Asker } from '../gateway/caller.ts';
import type { Doorman } from './access.ts';
import type { Channels } from './channels.ts';
import { isObject } from './frames.ts';
import { createAllowance, type RealtimeLimits } from './limits.ts';
import { inOwnName } from './presence.ts';

interface Sending {
  topic: string;
  event: string;
  payload: unknown;
  isPrivate: boolean;
}

/** One request may carry so many messages. */
const MOST = 100;
/** When more have sent something than this, all begin anew. */
const MOST_REMEMBERED = 10_000;

/**
 * Answers both addresses by which realtime-js sends without a socket: `/api/broadcast` with a list,
 * and `/api/broadcast/<topic>/events/<event>` with one payload. 202 when all were sent.
 */
export function createSenders(context: {
  channels: Channels;
  limits: RealtimeLimits;
  ask: Doorman['ask'];
}) {
  const { channels, limits, ask } = context;
  /** Of each person, while they send; visitors share one. */
  const allowances = new Map<string, () => boolean>();

  function mayTell(person: string, count: number): boolean {
    if (allowances.size > MOST_REMEMBERED) allowances.clear();
    const allowed = allowances.get(person) ?? createAllowance(limits.tellsPerSecond);
    allowances.set(person, allowed);
    return Array.from({ length: count }, allowed).every((each) => each);
  }

  return async (
    path: string,
    request: Request,
    asker: Asker & { kind: 'known' },
  ): Promise<Response> => {
    if (!/^\/api\/broadcast(\/|$)/.test(path)) return refusal(404, 'Not found');
    if (request.method !== 'POST') return refusal(405, 'Send by POST');
    const sendings = await readSendings(path, request);
    if (!sendings) return refusal(422, 'Each message needs a topic, an event and a payload');
    // All or none: nobody has to find out which of them went.
    const topics = new Set(sendings.map(({ topic, isPrivate }) => (isPrivate ? topic : null)));
    for (const topic of topics) {
      const verdict = await ask(asker.caller, topic);
      if (!verdict.session) return refusal(401, 'The session was ended');
      if (!verdict.access.write.broadcast) {
        return refusal(403, 'You do not have permissions to write here');
      }
    }
    // The secret key is the operator's own.
    const isServer = asker.caller.role === 'service_role';
    if (!isServer) {
      const person = typeof asker.caller.sub === 'string' ? asker.caller.sub : 'visitors';
      if (!mayTell(person, sendings.length)) {
        return refusal(429, `Too many messages, at most ${limits.tellsPerSecond} a second`);
      }
    }
    for (const { topic, isPrivate, event, payload } of sendings) {
      const said = isServer ? payload : inOwnName(payload, asker.caller.sub);
      channels.send(topic, isPrivate, { event, payload: said });
    }
    return new Response(null, { status: 202 });
  };
}

async function readSendings(path: string, request: Request): Promise<Sending[] | null> {
  const [, topic, event] = /^\/api\/broadcast\/([^/]+)\/events\/([^/]+)$/.exec(path) ?? [];
  if (topic && event) {
    const isPrivate = new URL(request.url).searchParams.get('private') === 'true';
    const isBinary = request.headers.get('content-type') === 'application/octet-stream';
    const payload = isBinary ? new Uint8Array(await request.arrayBuffer()) : await jsonOf(request);
    if (payload === undefined) return null;
    const [to, name] = [decode(topic), decode(event)];
    return to && name ? [{ topic: to, event: name, payload, isPrivate }] : null;
  }
  const body = await jsonOf(request);
  if (!isObject(body) || !Array.isArray(body.messages) || body.messages.length > MOST) return null;
  const sendings = body.messages.map((each: unknown) => {
    if (!isObject(each) || typeof each.topic !== 'string' || typeof each.event !== 'string') {
      return null;
    }
    const { topic: to, event: name, payload = {} } = each;
    return { topic: to, event: name, payload, isPrivate: each.private === true } as Sending;
  });
  return sendings.every((each) => each !== null) ? (sendings as Sending[]) : null;
}

async function jsonOf(request: Request): Promise<unknown> {
  return request.json().catch(() => undefined);
}

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

function refusal(status: number, message: string): Response {
  return Response.json({ message }, { status });
}

import type { Sql } from 'postgres';
import type { Asker } from './gateway-caller.ts';
import type { Caller } from './lite.ts';
import { accessTo } from './realtime-access.ts';
import type { Channels } from './realtime-channels.ts';
import { isObject } from './realtime-frames.ts';

interface Sending {
  topic: string;
  event: string;
  payload: unknown;
  isPrivate: boolean;
}

/** One request may carry so many messages. */
const MOST = 100;

/**
 * Answers both addresses by which realtime-js sends without a socket: `/api/broadcast` with a list,
 * and `/api/broadcast/<topic>/events/<event>` with one payload. 202 when all were sent.
 */
export function createSenders(context: {
  sql: Sql;
  channels: Channels;
  hasSession(caller: Caller): Promise<boolean>;
}) {
  return async (
    path: string,
    request: Request,
    asker: Asker & { kind: 'known' },
  ): Promise<Response> => {
    if (!/^\/api\/broadcast(\/|$)/.test(path)) return refusal(404, 'Not found');
    if (request.method !== 'POST') return refusal(405, 'Send by POST');
    const sendings = await readSendings(path, request);
    if (!sendings) return refusal(422, 'Each message needs a topic, an event and a payload');
    if (!(await context.hasSession(asker.caller))) return refusal(401, 'The session was ended');
    // All or none: nobody has to find out which of them went.
    const topics = new Set(sendings.filter((each) => each.isPrivate).map((each) => each.topic));
    for (const topic of topics) {
      const access = await accessTo(context.sql, asker.caller, topic);
      if (!access.write.broadcast) return refusal(403, 'You do not have permissions to write here');
    }
    for (const { topic, isPrivate, event, payload } of sendings) {
      context.channels.send(topic, isPrivate, { event, payload });
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

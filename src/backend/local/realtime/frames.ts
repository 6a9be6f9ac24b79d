/**
 * Frames of the Phoenix protocol as realtime-js 2 speaks it: objects in vsn 1.0.0, arrays in 2.0.0,
 * and in 2.0.0 broadcasts as bytes with a header of lengths.
 */
export type Version = '1.0.0' | '2.0.0';

export interface Frame {
  joinRef: string | null;
  ref: string | null;
  topic: string;
  event: string;
  payload: Record<string, unknown>;
}

/** A broadcast; `payload` is JSON or bytes. */
export interface Broadcast {
  event: string;
  payload: unknown;
  /** The row of a message that the database sent. */
  id?: string;
}

const KIND_PUSH = 3;
const KIND_BROADCAST = 4;
const LONGEST = 255;

/** A frame that nobody who speaks the protocol sends. */
export class MalformedFrame extends Error {}

/** @throws {MalformedFrame} */
export function readFrame(data: Buffer, isBinary: boolean, version: Version): Frame {
  if (isBinary) return readPush(data);
  const message = parse(data);
  const [joinRef, ref, topic, event, payload] = Array.isArray(message)
    ? message
    : version === '1.0.0' && isObject(message)
      ? [message.join_ref, message.ref, message.topic, message.event, message.payload]
      : [];
  if (typeof topic !== 'string' || typeof event !== 'string' || topic.length > LONGEST) {
    throw new MalformedFrame('A frame needs a topic and an event');
  }
  return {
    joinRef: refOf(joinRef),
    ref: refOf(ref),
    topic,
    event,
    payload: isObject(payload) ? payload : {},
  };
}

export function writeFrame(frame: Frame, version: Version): string {
  const { joinRef, ref, topic, event, payload } = frame;
  return JSON.stringify(
    version === '1.0.0'
      ? { join_ref: joinRef, ref, topic, event, payload }
      : [joinRef, ref, topic, event, payload],
  );
}

/** A frame that is sent to many: its bytes, and whether they are bytes to the reader or a text. */
export interface WrittenFrame {
  bytes: Buffer;
  isBinary: boolean;
}

/** A broadcast as a listener reads it, or null where its version has no words for bytes. */
export function writeBroadcast(
  topic: string,
  { event, payload, id }: Broadcast,
  version: Version,
): WrittenFrame | null {
  const meta = id ? { meta: { id } } : {};
  if (!(payload instanceof Uint8Array)) {
    const body = { type: 'broadcast', event, payload, ...meta };
    const frame = { joinRef: null, ref: null, topic, event: 'broadcast', payload: body };
    return { bytes: Buffer.from(writeFrame(frame, version)), isBinary: false };
  }
  if (version === '1.0.0') return null;
  const parts = [topic, event, id ? JSON.stringify({ id }) : ''].map((part) => Buffer.from(part));
  if (parts.some((part) => part.length > LONGEST)) return null;
  const head = Buffer.from([KIND_BROADCAST, ...parts.map((part) => part.length), 0]);
  return { bytes: Buffer.concat([head, ...parts, payload]), isBinary: true };
}

function readPush(data: Buffer): Frame {
  if (data.length < 7 || data[0] !== KIND_PUSH) throw new MalformedFrame('Unknown kind of frame');
  let at = 7;
  const [joinRef = '', ref = '', topic = '', event = '', metadata = ''] = [1, 2, 3, 4, 5].map(
    (field) => {
      const start = at;
      at += data[field] ?? 0;
      return data.toString('utf8', start, at);
    },
  );
  if (at > data.length) throw new MalformedFrame('A frame shorter than it says');
  if (metadata) parse(Buffer.from(metadata));
  const body = data.subarray(at);
  return {
    joinRef: joinRef || null,
    ref: ref || null,
    topic,
    event: 'broadcast',
    payload: { type: 'broadcast', event, payload: data[6] === 1 ? parse(body) : body },
  };
}

function parse(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString('utf8'));
  } catch {
    throw new MalformedFrame('Not JSON');
  }
}

function refOf(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number'
    ? String(value).slice(0, LONGEST)
    : null;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

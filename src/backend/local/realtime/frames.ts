/** A frame of the Phoenix protocol, vsn 2.0.0: a JSON array, or bytes with a header of lengths. */
export interface Frame {
  joinRef: string | null;
  ref: string | null;
  topic: string;
  event: string;
  payload: Record<string, unknown>;
}

export interface Broadcast {
  event: string;
  payload: unknown;
  /** The row ID of a message that the database sent. */
  id?: string;
}

const KIND_PUSH = 3;
const ENCODING_JSON = 1;
const LONGEST = 255;

/** A frame that doesn't follow the protocol. */
export class MalformedFrame extends Error {}

/** @throws {MalformedFrame} */
export function readFrame(data: Buffer, isBinary: boolean): Frame {
  if (isBinary) return readPush(data);
  const message = parse(data);
  const [joinRef, ref, topic, event, payload] = Array.isArray(message) ? message : [];
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

export function writeFrame({ joinRef, ref, topic, event, payload }: Frame): string {
  return JSON.stringify([joinRef, ref, topic, event, payload]);
}

export function writeBroadcast(topic: string, { event, payload, id }: Broadcast): Buffer {
  const body = { type: 'broadcast', event, payload, ...(id && { meta: { id } }) };
  const frame = { joinRef: null, ref: null, topic, event: 'broadcast', payload: body };
  return Buffer.from(writeFrame(frame));
}

function readPush(data: Buffer): Frame {
  if (data.length < 7 || data[0] !== KIND_PUSH) throw new MalformedFrame('Unknown kind of frame');
  if (data[6] !== ENCODING_JSON) throw new MalformedFrame('Broadcasts have to be JSON, not bytes');
  let at = 7;
  const [joinRef = '', ref = '', topic = '', event = '', metadata = ''] = [1, 2, 3, 4, 5].map(
    (field) => {
      const start = at;
      at += data[field] ?? 0;
      return data.toString('utf8', start, at);
    },
  );
  if (at > data.length) throw new MalformedFrame('The frame is shorter than it says');
  if (metadata) parse(Buffer.from(metadata));
  const payload = parse(data.subarray(at));
  return {
    joinRef: joinRef || null,
    ref: ref || null,
    topic,
    event: 'broadcast',
    payload: { type: 'broadcast', event, payload },
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

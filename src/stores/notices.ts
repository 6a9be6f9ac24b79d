/**
 * A sound and the browser's own notification for a new message, where the person chose them in this
 * browser. One tab makes each of them, and none does while the conversation is open in front.
 */
import { atom } from 'nanostores';
import * as v from 'valibot';
import { type ConversationChange, newsOf } from '#data/conversations.ts';
import { onStored, readStored, writeStored } from '#lib/browser/stored.ts';
import type { Live } from '#lib/live/live.ts';
import { mayShowWords } from './session.ts';

const noticeChoice = v.object({ sound: v.boolean(), notification: v.boolean() });
export type NoticeChoice = v.InferOutput<typeof noticeChoice>;

const NONE: NoticeChoice = { sound: false, notification: false };
const KEY = 'trellis-notices';
const MADE = 'trellis-noticed';
/** How many messages are remembered as notified. */
const REMEMBERED = 50;

/** What the person chose in this browser. */
export const $notices = atom<NoticeChoice>(NONE);

/** Reads what was chosen before; for the page that lets one choose. */
export function beginNotices(): void {
  const chosen = readStored(KEY, noticeChoice) ?? NONE;
  const allowed = typeof Notification !== 'undefined' && Notification.permission === 'granted';
  $notices.set({ ...chosen, notification: chosen.notification && allowed });
}

function choose(part: Partial<NoticeChoice>): void {
  $notices.set({ ...$notices.get(), ...part });
  // A browser that refuses storage follows it on this page alone.
  writeStored(KEY, $notices.get());
}

/** Turns the sound on or off; turning it on plays it once, so that the person knows it. */
export function chooseSound(wanted: boolean): void {
  choose({ sound: wanted });
  if (wanted) void playSound();
}

/**
 * Turns the browser's notifications on or off. Called by a click: the browser asks for permission.
 * @returns what it says: `denied` where only its settings can change that, `missing` where it has none
 */
export async function chooseNotification(
  wanted: boolean,
): Promise<'granted' | 'default' | 'denied' | 'missing'> {
  if (typeof Notification === 'undefined') return 'missing';
  if (!wanted) {
    choose({ notification: false });
    return Notification.permission;
  }
  const answer = await Notification.requestPermission();
  choose({ notification: answer === 'granted' });
  return answer;
}

const frontLock = (conversationId: string) => `trellis-front:${conversationId}`;

/** Conversations in front in this tab; locks tell the other tabs, where the browser has them. */
const inFront = new Set<string>();

/** Whether a conversation is in front of the person in this tab. */
export const isInFrontHere = (conversationId: string): boolean => inFront.has(conversationId);

/** Says that a conversation is in front of the person, as long as this tab is. Gives the cleanup. */
export function holdFront(conversationId: string): () => void {
  let release = () => {};
  const look = () => {
    release();
    inFront.delete(conversationId);
    release = () => {};
    if (document.visibilityState !== 'visible' || !document.hasFocus()) return;
    inFront.add(conversationId);
    const held = Promise.withResolvers<void>();
    release = held.resolve;
    void navigator.locks
      ?.request(frontLock(conversationId), { mode: 'shared' }, () => held.promise)
      .catch(() => {});
  };
  look();
  const listening = new AbortController();
  document.addEventListener('visibilitychange', look, listening);
  addEventListener('focus', look, listening);
  addEventListener('blur', look, listening);
  return () => {
    listening.abort();
    inFront.delete(conversationId);
    release();
  };
}

async function isInFront(conversationId: string): Promise<boolean> {
  if (isInFrontHere(conversationId)) return true;
  const { held } = (await navigator.locks?.query()) ?? {};
  return (held ?? []).some(({ name }) => name === frontLock(conversationId));
}

/** Runs the task in one tab alone, once for each name. */
async function once(name: string, task: () => Promise<boolean> | boolean): Promise<void> {
  const claim = async () => {
    const made = readStored(MADE, v.array(v.string())) ?? [];
    if (made.includes(name)) return;
    // A tab that can't play it, because it had no user gesture yet, leaves it to the next one.
    if (await task()) writeStored(MADE, [...made, name].slice(-REMEMBERED));
  };
  if (navigator.locks) await navigator.locks.request(MADE, claim);
  else await claim();
}

let audio: AudioContext | undefined;

/** Plays two soft notes; gives whether the browser lets this tab play sounds. */
async function playSound(): Promise<boolean> {
  if (typeof AudioContext === 'undefined') return false;
  audio ??= new AudioContext();
  // Before anything on the page was touched it stays suspended, and resuming it never ends.
  await Promise.race([audio.resume(), new Promise((resolve) => setTimeout(resolve, 200))]);
  if (audio.state !== 'running') return false;
  const { currentTime: now } = audio;
  for (const [hertz, at] of [
    [660, 0],
    [880, 0.12],
  ] as const) {
    const tone = new OscillatorNode(audio, { frequency: hertz });
    const loudness = new GainNode(audio, { gain: 0 });
    loudness.gain.setValueAtTime(0, now + at);
    loudness.gain.linearRampToValueAtTime(0.12, now + at + 0.02);
    loudness.gain.exponentialRampToValueAtTime(0.001, now + at + 0.3);
    tone.connect(loudness).connect(audio.destination);
    tone.start(now + at);
    tone.stop(now + at + 0.32);
  }
  return true;
}

function showNotification(news: ConversationChange): boolean {
  const { last_message: last, author_name: author, title, id } = news;
  if (!last || typeof Notification === 'undefined' || Notification.permission !== 'granted') {
    return false;
  }
  const who = author ?? 'Someone';
  const shown = new Notification(who === title ? who : `${who} · ${title}`, {
    body: mayShowWords() ? last.excerpt || 'Sent a file' : 'Sent you a message',
    // A later message of the same conversation takes its place.
    tag: id,
  });
  shown.addEventListener('click', () => {
    window.focus();
    location.assign(`/dashboard/messages/conversations/${id}`);
  });
  return true;
}

/** Older changes, in milliseconds, have another reason: an edit, or a muted conversation. */
const NEW_FOR = 5 * 60 * 1000;

/**
 * Whether to notify a person at all: only of another person's message that is new to them.
 * @param before the newest known place of the conversation
 */
export function isWorthANotice(
  me: string,
  news: ConversationChange,
  before: number,
  now = Date.now(),
): boolean {
  const { last_message: last, muted, unread } = news;
  if (!last || muted || unread === 0 || last.removed || last.author_id === me) return false;
  return last.seq > before && now - Date.parse(last.sent_at) < NEW_FOR;
}

/** Notifies of new messages from now on, in the ways that were chosen. Gives the cleanup. */
export function followNotices(me: string, live: Live): () => void {
  beginNotices();
  /** The newest known place of each conversation. */
  const newest = new Map<string, number>();

  async function notify(news: ConversationChange): Promise<void> {
    const { sound, notification } = $notices.get();
    if ((!sound && !notification) || (await isInFront(news.id))) return;
    const name = `${news.id}:${news.last_seq}`;
    if (sound) await once(`sound:${name}`, playSound);
    if (notification) await once(`notification:${name}`, () => showNotification(news));
  }

  const person = live.join(`person:${me}`, {
    onMessage(event, payload) {
      const news = event === 'conversation' ? newsOf(payload) : null;
      if (!news || news.gone) return;
      const isNew = isWorthANotice(me, news, newest.get(news.id) ?? 0);
      newest.set(news.id, Math.max(newest.get(news.id) ?? 0, news.last_seq));
      if (isNew) void notify(news).catch(() => {});
    },
  });
  const stopFollowing = onStored(() => KEY, beginNotices);
  return () => {
    stopFollowing();
    person.leave();
    void audio?.close();
    audio = undefined;
  };
}

/**
 * A sound and a browser notification for each new message, if the person turned them on in this
 * browser. Only one tab plays or shows each, and none while the conversation is open in front.
 */
import { atom } from 'nanostores';
import * as v from 'valibot';
import { type ConversationChange, newsOf } from '#data/conversations.ts';
import { onStored, readStored, writeStored } from '#lib/browser/stored.ts';
import type { Live } from '#lib/live/live.ts';
import { isInFront } from './front.ts';
import { mayShowWords } from './session.ts';

const noticeChoice = v.object({ sound: v.boolean(), notification: v.boolean() });
export type NoticeChoice = v.InferOutput<typeof noticeChoice>;

const NONE: NoticeChoice = { sound: false, notification: false };
const KEY = 'trellis-notices';
const MADE = 'trellis-noticed';
/** How many messages we remember having notified about. */
const REMEMBERED = 50;

/** The person's settings in this browser. */
export const $notices = atom<NoticeChoice>(NONE);

/** Loads the stored settings. Call it on the settings page too. */
export function beginNotices(): void {
  const chosen = readStored(KEY, noticeChoice) ?? NONE;
  const allowed = typeof Notification !== 'undefined' && Notification.permission === 'granted';
  const notification = chosen.notification && allowed;
  const before = $notices.get();
  if (before.sound === chosen.sound && before.notification === notification) return;
  $notices.set({ sound: chosen.sound, notification });
}

function choose(part: Partial<NoticeChoice>): void {
  $notices.set({ ...$notices.get(), ...part });
  // If the browser denies storage, the settings apply to this page only.
  writeStored(KEY, $notices.get());
}

/** Turns the sound on or off. Turning it on plays it once, so that the person knows it. */
export function chooseSound(wanted: boolean): void {
  choose({ sound: wanted });
  if (wanted) void playSound();
}

/**
 * Turns browser notifications on or off. Call it on a click: the browser asks for permission.
 * @returns the permission: `denied` can only change in browser settings, `missing` is unsupported
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

/** Runs the task in only one tab, once per name. */
async function once(name: string, task: () => Promise<boolean> | boolean): Promise<void> {
  const claim = async () => {
    const made = readStored(MADE, v.array(v.string())) ?? [];
    if (made.includes(name)) return;
    // If this tab can't play it (no user gesture yet), it stays unclaimed for the next tab.
    if (await task()) writeStored(MADE, [...made, name].slice(-REMEMBERED));
  };
  if (navigator.locks) await navigator.locks.request(MADE, claim);
  else await claim();
}

let audio: AudioContext | undefined;

/** Plays two soft notes. Returns whether the browser lets this tab play sounds. */
async function playSound(): Promise<boolean> {
  if (typeof AudioContext === 'undefined') return false;
  audio ??= new AudioContext();
  // Before a user gesture, the context stays suspended and `resume` never settles.
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
    // A later message of the same conversation replaces this notification.
    tag: id,
  });
  shown.addEventListener('click', () => {
    window.focus();
    location.assign(`/dashboard/messages/conversations/${id}`);
  });
  return true;
}

/** Events for messages older than this (in ms) have other causes: an edit, or muting. */
const NEW_FOR = 5 * 60 * 1000;

/**
 * Whether to notify the person: only about someone else's message that's new to them.
 * @param before the latest known sequence number in the conversation
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

/** Notifies the person about new messages, as their settings say. Returns the cleanup. */
export function followNotices(me: string, live: Live): () => void {
  beginNotices();
  /** The latest known sequence number of each conversation. */
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

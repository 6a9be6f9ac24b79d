/** Short notices that every island of a page may raise; `features/shell` shows them. */
import { atom } from 'nanostores';

export interface Toast {
  id: string;
  tone?: 'info' | 'good' | 'bad';
  title: string;
  text?: string;
  action?: { label: string; onPress: () => void };
  /** Stays until somebody answers it. */
  lasting?: boolean;
}

/** At most this many wait or show at once. */
export const TOAST_LIMIT = 5;

/** Oldest first. */
export const $toasts = atom<readonly Toast[]>([]);

let made = 0;

/** Shows a notice; beyond five the oldest one gives way. Gives its id. */
export function addToast(toast: Omit<Toast, 'id'>): string {
  made += 1;
  const id = `toast-${made}`;
  $toasts.set([...$toasts.get(), { ...toast, id }].slice(-TOAST_LIMIT));
  return id;
}

/** Takes a notice away; an id that is gone already changes nothing. */
export function dismissToast(id: string): void {
  $toasts.set($toasts.get().filter((toast) => toast.id !== id));
}

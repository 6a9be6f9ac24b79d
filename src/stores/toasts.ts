/** Toasts that any island on a page can add; `features/shell` renders them. */
import { atom } from 'nanostores';
import type { AppError } from '#lib/errors.ts';

export interface Toast {
  id: string;
  tone?: 'info' | 'good' | 'bad';
  title: string;
  text?: string;
  action?: { label: string; onPress: () => void };
  /** Stays until the person acts on it or closes it. */
  lasting?: boolean;
}

/** The most toasts at once. */
export const TOAST_LIMIT = 5;

/** Oldest first. */
export const $toasts = atom<readonly Toast[]>([]);

let count = 0;

/** Shows a toast, dropping the oldest above the limit. Returns its id. */
export function addToast(toast: Omit<Toast, 'id'>): string {
  count += 1;
  const id = `toast-${count}`;
  $toasts.set([...$toasts.get(), { ...toast, id }].slice(-TOAST_LIMIT));
  return id;
}

/** Shows what failed and why, with a button to retry. */
export function addFailureToast(
  title: string,
  { message }: AppError,
  onRetry: () => void,
  lasting = false,
): void {
  const action = { label: 'Try again', onPress: onRetry };
  addToast({ tone: 'bad', title, text: message, action, lasting });
}

/** Removes a toast; an unknown id does nothing. */
export function dismissToast(id: string): void {
  $toasts.set($toasts.get().filter((toast) => toast.id !== id));
}

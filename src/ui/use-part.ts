import { useEffect, useState } from 'react';
import { loadModule, loadOnceOnline } from '#lib/browser/load-module.ts';
import { whenIdle } from '#lib/browser/when-idle.ts';
import { addToast } from '#stores/toasts.ts';

type Load<Part> = () => Promise<Part>;

/** The parts that are loaded, by the functions that load them. */
const loaded = new Map<Load<object>, object>();

const find = <Part extends object>(load: Load<Part>) =>
  (loaded.get(load) as Part | undefined) ?? null;

async function keep<Part extends object>(load: Load<Part>, loading: Promise<Part>): Promise<Part> {
  const part = await loading;
  loaded.set(load, part);
  return part;
}

/**
 * A module that's loaded as soon as it's needed and there's a connection; null until then.
 * @param load the same function on every render
 * @param onFailure called if it can't be loaded, which only a reload changes
 */
export function usePart<Part extends object>(
  load: Load<Part>,
  isNeeded: boolean,
  onFailure?: () => void,
): Part | null {
  const [part, setPart] = useState<Part | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first load counts
  useEffect(() => {
    if (isNeeded) keep(load, loadOnceOnline(load)).then(setPart, onFailure ?? (() => {}));
  }, [isNeeded]);
  return part;
}

/**
 * A module that a person opens, such as a dialog or a menu; null until it's open and loaded. It's
 * loaded once the page is idle, so that it opens at once, without a connection too, and right away
 * if it's opened before that. If it can't be loaded, a toast says so.
 * @param load the same function on every render
 * @param close called if it can't be loaded; opening it again tries again
 * @param isAhead whether it's loaded before it's opened; not for what most pages never open
 */
export function useOpenedPart<Part extends object>(
  load: Load<Part>,
  isOpen: boolean,
  close: () => void,
  isAhead = true,
): Part | null {
  const [part, setPart] = useState<Part | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: opening it loads it, once
  useEffect(() => {
    if (isAhead) prepare(load);
    if (!isOpen || part) return;
    const there = find(load);
    if (there) return setPart(there);
    let isOver = false;
    keep(load, loadModule(load)).then(
      (found) => {
        if (!isOver) setPart(found);
      },
      () => {
        if (isOver) return;
        close();
        reportMissing();
      },
    );
    return () => {
      isOver = true;
    };
  }, [isOpen]);
  // If it's there, it shows in the same render that opens it.
  return part ?? (isOpen ? find(load) : null);
}

const prepared = new Set<Load<object>>();

/** Loads a part once the page is idle. If that fails, opening it tries again. */
function prepare(load: Load<object>): void {
  if (prepared.has(load)) return;
  prepared.add(load);
  whenIdle(() => void keep(load, loadOnceOnline(load)).catch(() => {}));
}

function reportMissing(): void {
  if (navigator.onLine === false) {
    addToast({ tone: 'bad', title: 'Go online once to open this.' });
    return;
  }
  addToast({
    tone: 'bad',
    title: 'This didn’t load',
    text: 'Try again, or reload the page.',
    action: { label: 'Reload', onPress: () => location.reload() },
  });
}

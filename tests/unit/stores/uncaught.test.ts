import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AppError } from '#lib/errors.ts';
import { $toasts, dismissToast } from '#stores/toasts.ts';
import { followUncaught } from '#stores/uncaught.ts';

const HERE = 'https://site.test';
let page: EventTarget;
let stop = () => {};
const reload = vi.fn();

beforeEach(() => {
  page = new EventTarget();
  $toasts.set([]);
  reload.mockReset();
  stop = followUncaught({ page, origin: HERE, reload });
});
afterEach(() => stop());

/** Dispatches the event that a browser sends for an uncaught error. */
function breaks(type: 'error' | 'unhandledrejection', facts: Record<string, unknown>) {
  page.dispatchEvent(Object.assign(new Event(type), facts));
}
const thrown = (error: unknown, filename = `${HERE}/_astro/screen.js`) =>
  breaks('error', { error, filename });
const rejected = (reason: unknown) => breaks('unhandledrejection', { reason });
const titles = () => $toasts.get().map(({ title }) => title);

describe('An error that nobody caught', () => {
  test('is told where a button’s work threw, with a reload', () => {
    thrown(new TypeError('x is undefined'));
    expect(titles()).toEqual(['That didn’t work']);
    const [toast] = $toasts.get();
    expect(toast).toMatchObject({ tone: 'bad', lasting: true });
    expect(toast?.text).not.toContain('undefined');
    toast?.action?.onPress();
    expect(reload).toHaveBeenCalledOnce();
  });

  test('is told where something that was waited for failed, in the words of its kind', () => {
    rejected(new AppError('network'));
    expect($toasts.get()[0]?.text).toContain('Check your connection');
  });

  test('is told once until it is closed, however many follow', () => {
    thrown(new Error('one'));
    thrown(new Error('two'));
    rejected(new Error('three'));
    expect(titles()).toHaveLength(1);
    dismissToast($toasts.get()[0]?.id ?? '');
    thrown(new Error('four'));
    expect(titles()).toHaveLength(1);
  });

  test('is nobody’s business where it is not the site’s own, or was meant', () => {
    thrown(new Error('an extension'), 'chrome-extension://abc/content.js');
    thrown(null, '');
    rejected(new DOMException('The user left', 'AbortError'));
    expect(titles()).toEqual([]);
  });

  test('is not told any more when the page is left', () => {
    stop();
    thrown(new Error('late'));
    expect(titles()).toEqual([]);
  });
});

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { $unsaved, holdUnsaved } from '#lib/browser/unsaved.ts';
import {
  type BuildDeps,
  CHECK_AGAIN_AFTER,
  CHECK_EVERY,
  followBuild,
  QUIET_FOR,
} from '#stores/build.ts';
import { $toasts, dismissToast } from '#stores/toasts.ts';

const OWN = 'build-1';
let latest = OWN;
let awake = true;
let show = () => {};
let deps: { [K in keyof BuildDeps]: ReturnType<typeof vi.fn<BuildDeps[K]>> };
let stop = () => {};

beforeEach(() => {
  vi.useFakeTimers();
  latest = OWN;
  awake = true;
  $toasts.set([]);
  deps = {
    latest: vi.fn<BuildDeps['latest']>(async () => latest),
    reload: vi.fn<BuildDeps['reload']>(),
    isAwake: vi.fn<BuildDeps['isAwake']>(() => awake),
    onShown: vi.fn<BuildDeps['onShown']>((task) => {
      show = task;
      return () => {
        show = () => {};
      };
    }),
  };
  stop = followBuild(OWN, deps);
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

const offers = () => $toasts.get().map(({ title }) => title);
const OFFERED = ['A newer version is ready'];

async function aNewBuildIsFound(id = 'build-2') {
  latest = id;
  await vi.advanceTimersByTimeAsync(CHECK_EVERY);
}

describe('When the site was built anew', () => {
  test('Nothing is said while the page is of the newest build', async () => {
    await vi.advanceTimersByTimeAsync(3 * CHECK_EVERY);
    expect(deps.latest).toHaveBeenCalledTimes(3);
    expect(offers()).toEqual([]);
  });

  test('The next look offers a reload that stays until it is answered', async () => {
    await aNewBuildIsFound();
    await vi.advanceTimersByTimeAsync(3 * CHECK_EVERY);
    expect(offers()).toEqual(OFFERED);
    const [toast] = $toasts.get();
    expect(toast?.lasting).toBe(true);
    toast?.action?.onPress();
    expect(deps.reload).toHaveBeenCalledOnce();
  });

  test('It is offered once: not again after it was closed, but the next build is', async () => {
    await aNewBuildIsFound();
    await vi.advanceTimersByTimeAsync(QUIET_FOR);
    dismissToast($toasts.get()[0]?.id ?? '');
    await vi.advanceTimersByTimeAsync(3 * CHECK_EVERY);
    expect(offers()).toEqual([]);
    await aNewBuildIsFound('build-3');
    await vi.advanceTimersByTimeAsync(QUIET_FOR);
    expect(offers()).toEqual(OFFERED);
  });

  test('An old build that comes back takes the offer away', async () => {
    await aNewBuildIsFound();
    await vi.advanceTimersByTimeAsync(QUIET_FOR);
    await aNewBuildIsFound(OWN);
    expect(offers()).toEqual([]);
  });
});

describe('When a person comes back to the tab', () => {
  test('It looks at once, and no more than once a minute', async () => {
    // A page that was just opened doesn't need to check.
    show();
    expect(deps.latest).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(CHECK_AGAIN_AFTER);
    show();
    show();
    expect(deps.latest).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(CHECK_AGAIN_AFTER - 1);
    show();
    expect(deps.latest).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    show();
    expect(deps.latest).toHaveBeenCalledTimes(2);
  });
});

describe('While something is unsaved', () => {
  test('Nothing is offered, an offer goes, and afterward it is there', async () => {
    const saved = holdUnsaved();
    await aNewBuildIsFound();
    await vi.advanceTimersByTimeAsync(QUIET_FOR);
    expect(offers()).toEqual([]);
    saved();
    await vi.advanceTimersByTimeAsync(QUIET_FOR);
    expect(offers()).toEqual(OFFERED);
    const savedAgain = holdUnsaved();
    expect(offers()).toEqual([]);
    savedAgain();
    await vi.advanceTimersByTimeAsync(QUIET_FOR);
    expect(offers()).toEqual(OFFERED);
  });

  test('Answers that are sent one after the other are one piece of work', async () => {
    await aNewBuildIsFound();
    for (let answer = 0; answer < 5; answer++) {
      const saved = holdUnsaved();
      await vi.advanceTimersByTimeAsync(QUIET_FOR / 2);
      saved();
      await vi.advanceTimersByTimeAsync(QUIET_FOR / 2);
      expect(offers()).toEqual([]);
    }
  });

  test('Two things have to be saved before nothing is unsaved', () => {
    const first = holdUnsaved();
    const second = holdUnsaved();
    first();
    first();
    expect($unsaved.get()).toBe(true);
    second();
    expect($unsaved.get()).toBe(false);
  });
});

describe('When nothing can be learned', () => {
  test('A failure is left alone until the next look', async () => {
    deps.latest.mockRejectedValueOnce(new Error('offline'));
    await aNewBuildIsFound();
    expect(offers()).toEqual([]);
    await vi.advanceTimersByTimeAsync(CHECK_EVERY + QUIET_FOR);
    expect(offers()).toEqual(OFFERED);
  });

  test('Nobody is asked while the tab is hidden or the network is away', async () => {
    awake = false;
    await vi.advanceTimersByTimeAsync(5 * CHECK_EVERY);
    expect(deps.latest).not.toHaveBeenCalled();
  });

  test('A page without a build, while developing, never asks', async () => {
    stop();
    stop = followBuild(null, deps);
    await vi.advanceTimersByTimeAsync(CHECK_EVERY);
    expect(deps.latest).not.toHaveBeenCalled();
  });
});

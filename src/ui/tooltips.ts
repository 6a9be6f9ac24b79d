/**
 * Tooltips of icon buttons: one bubble for the whole page, for everything with a `data-tooltip`. It
 * lies in the top layer, so no frame that scrolls and no dialog hides it, and the buttons carry
 * nothing of it, so a list of hundreds costs no more than one.
 *
 * https://www.w3.org/WAI/WCAG22/Understanding/content-on-hover-or-focus.html: Escape closes it
 * alone, the pointer may move onto it, and it stays until the pointer or the focus leaves. Screen
 * readers already have the same words as the name of the button.
 */

/** Milliseconds before one opens, and within which the next one opens at once (specification). */
export const TOOLTIP_OPEN_DELAY = 700;
export const TOOLTIP_SKIP_DELAY = 300;

/** Milliseconds in which the pointer gets from a button to its bubble. */
const WAY_OVER = 150;
/** Pixels between a button and its bubble, and between a bubble and the edge of the window. */
const GAP = 6;
const EDGE = 8;

const LOOK =
  'fixed inset-auto m-0 max-w-64 pointer-events-auto rounded-small border border-transparent bg-ink px-2.5 py-1.5 text-xs text-paper wrap-anywhere float print:hidden open:animate-fade';

let installed = false;

/** Lets this page show tooltips; called again it does nothing. Only in a browser. */
export function installTooltips(): void {
  if (installed) return;
  installed = true;
  const bubble = document.createElement('div');
  bubble.popover = 'manual';
  bubble.ariaHidden = 'true';
  bubble.dataset.tooltipBubble = '';
  bubble.className = LOOK;

  /** What the bubble is about, or will be after the delay. */
  let target: HTMLElement | null = null;
  /** Pressed or closed with Escape: it stays closed until the pointer or the focus has left. */
  let dismissed: HTMLElement | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closedAt = Number.NEGATIVE_INFINITY;
  /** Whether the last key was one that people move the focus with. */
  let moving = false;

  const isOpen = () => bubble.matches(':popover-open');

  function open() {
    if (!target?.isConnected || target.ariaExpanded === 'true') return;
    bubble.textContent = target.dataset.tooltip ?? '';
    document.body.append(bubble);
    bubble.showPopover();
    place(bubble, target.getBoundingClientRect());
  }

  function close() {
    clearTimeout(timer);
    target = null;
    if (!isOpen()) return;
    bubble.hidePopover();
    closedAt = performance.now();
  }

  function aim(next: HTMLElement, delay: number) {
    clearTimeout(timer);
    if (next === target && isOpen()) return;
    const wait = isOpen() || performance.now() - closedAt < TOOLTIP_SKIP_DELAY ? 0 : delay;
    close();
    target = next;
    if (wait === 0) open();
    else timer = setTimeout(open, wait);
  }

  function dismiss() {
    dismissed = target ?? dismissed;
    close();
  }

  const buttonAt = (place: EventTarget | null) =>
    place instanceof Element ? place.closest<HTMLElement>('[data-tooltip]') : null;

  document.addEventListener('pointerover', ({ target: place, pointerType }) => {
    // A finger presses, and covers what would be shown.
    if (pointerType === 'touch') return;
    const button = buttonAt(place);
    if (button !== dismissed) dismissed = null;
    if (button && button !== dismissed) aim(button, TOOLTIP_OPEN_DELAY);
    else if (bubble.contains(place as Node)) clearTimeout(timer);
    else if (target && !target.matches(':focus-visible')) {
      clearTimeout(timer);
      timer = setTimeout(close, WAY_OVER);
    }
  });
  document.documentElement.addEventListener('pointerleave', close);
  document.addEventListener('focusin', ({ target: place }) => {
    const button = buttonAt(place);
    // Focus that comes with a press, or with a dialog that opens or closes, isn't a question about the button.
    if (moving && button?.matches(':focus-visible')) aim(button, 0);
    else close();
  });
  document.addEventListener('focusout', () => {
    dismissed = null;
    close();
  });
  // In the capture phase: a dialog or a menu under it acts on the next Escape.
  const keys = (event: KeyboardEvent) => {
    moving = event.key === 'Tab' || event.key.startsWith('Arrow');
    if (event.key === 'Escape' && isOpen()) event.stopPropagation();
    if (['Escape', 'Enter', ' '].includes(event.key)) dismiss();
  };
  addEventListener('keydown', keys, true);
  const press = (event: PointerEvent) => {
    dismissed = buttonAt(event.target) ?? dismissed;
    // A dialog takes a press outside it for a wish to close it.
    if (bubble.contains(event.target as Node)) event.stopPropagation();
    close();
  };
  addEventListener('pointerdown', press, true);
  addEventListener('scroll', close, true);
  addEventListener('resize', close);
}

/** Above the button where there is room, else below it; never beyond the edge of the window. */
function place(bubble: HTMLElement, button: DOMRect): void {
  const { width, height } = bubble.getBoundingClientRect();
  const { clientWidth } = document.documentElement;
  const left = button.left + (button.width - width) / 2;
  const above = button.top - GAP - height;
  bubble.style.left = `${Math.max(EDGE, Math.min(left, clientWidth - EDGE - width))}px`;
  bubble.style.top = `${above >= EDGE ? above : button.bottom + GAP}px`;
}

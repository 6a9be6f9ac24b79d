/**
 * Tooltips for icon buttons: one bubble for the whole page serves every element with a
 * `data-tooltip`. It's in the top layer, so no scrolling container or dialog hides it, and buttons
 * need no extra markup, so hundreds of them cost no more than one.
 *
 * https://www.w3.org/WAI/WCAG22/Understanding/content-on-hover-or-focus.html: Escape closes only
 * the tooltip, the pointer can move onto it, and it stays until the pointer or focus leaves. Screen
 * readers already get the same text as the button's name.
 */

/** From the specification: ms before one opens, and within which the next opens immediately. */
export const TOOLTIP_OPEN_DELAY = 700;
export const TOOLTIP_SKIP_DELAY = 300;

/** Milliseconds the pointer has to get from a button to its bubble. */
const LEAVE_DELAY = 150;
/** Pixels between button and bubble, and between bubble and window edge. */
const GAP = 6;
const EDGE = 8;

const LOOK =
  'fixed inset-auto m-0 max-w-64 pointer-events-auto rounded-small border border-transparent bg-ink px-2.5 py-1.5 text-xs text-paper wrap-anywhere float print:hidden open:animate-fade';

const buttonAt = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>('[data-tooltip]') : null;

class Tooltip {
  readonly #bubble = createBubble();
  /** The button whose tooltip is open, or will be after the delay. */
  #button: HTMLElement | null = null;
  /** Clicked or closed with Escape: it stays closed until the pointer or focus leaves. */
  #dismissed: HTMLElement | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closedAt = Number.NEGATIVE_INFINITY;
  /** Whether the last input was a key that moves the focus. */
  #isMovingFocus = false;

  start(): void {
    document.addEventListener('pointerover', (event) => this.#handlePointer(event));
    document.documentElement.addEventListener('pointerleave', () => this.#close());
    document.addEventListener('focusin', ({ target }) => {
      const button = buttonAt(target);
      // Only for keyboard navigation: a click or an opening or closing dialog moves the focus too.
      if (this.#isMovingFocus && button?.matches(':focus-visible')) this.#openFor(button, 0);
      else this.#close();
    });
    document.addEventListener('focusout', () => {
      this.#dismissed = null;
      this.#close();
    });
    // In the capture phase, so that Escape closes the tooltip before the dialog or menu under it.
    addEventListener('keydown', (event) => this.#handleKey(event), true);
    addEventListener('pointerdown', (event) => this.#handlePress(event), true);
    addEventListener('scroll', () => this.#close(), true);
    addEventListener('resize', () => this.#close());
    // The pointer may have been there before this was loaded.
    const button = document.querySelector<HTMLElement>('[data-tooltip]:hover');
    if (button) this.#openFor(button, TOOLTIP_OPEN_DELAY);
  }

  #isOpen(): boolean {
    return this.#bubble.matches(':popover-open');
  }

  #open(): void {
    const button = this.#button;
    if (!button?.isConnected || button.ariaExpanded === 'true') return;
    this.#bubble.textContent = button.dataset.tooltip ?? '';
    document.body.append(this.#bubble);
    this.#bubble.showPopover();
    positionBubble(this.#bubble, button.getBoundingClientRect());
  }

  #openFor(button: HTMLElement, delay: number): void {
    clearTimeout(this.#timer);
    if (button === this.#button && this.#isOpen()) return;
    const skipsDelay = this.#isOpen() || performance.now() - this.#closedAt < TOOLTIP_SKIP_DELAY;
    this.#close();
    this.#button = button;
    if (skipsDelay || delay === 0) this.#open();
    else this.#timer = setTimeout(() => this.#open(), delay);
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#button = null;
    if (!this.#isOpen()) return;
    this.#bubble.hidePopover();
    this.#closedAt = performance.now();
  }

  #handlePointer({ target, pointerType }: PointerEvent): void {
    // Touch has no hover, and a finger would cover the bubble.
    if (pointerType === 'touch') return;
    const button = buttonAt(target);
    if (button !== this.#dismissed) this.#dismissed = null;
    if (button && button !== this.#dismissed) this.#openFor(button, TOOLTIP_OPEN_DELAY);
    else if (this.#bubble.contains(target as Node)) clearTimeout(this.#timer);
    else if (this.#button && !this.#button.matches(':focus-visible')) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#close(), LEAVE_DELAY);
    }
  }

  #handleKey(event: KeyboardEvent): void {
    this.#isMovingFocus = event.key === 'Tab' || event.key.startsWith('Arrow');
    if (event.key === 'Escape' && this.#isOpen()) event.stopPropagation();
    if (!['Escape', 'Enter', ' '].includes(event.key)) return;
    this.#dismissed = this.#button ?? this.#dismissed;
    this.#close();
  }

  #handlePress(event: PointerEvent): void {
    this.#dismissed = buttonAt(event.target) ?? this.#dismissed;
    // Otherwise a dialog would close, because the bubble is outside it.
    if (this.#bubble.contains(event.target as Node)) event.stopPropagation();
    this.#close();
  }
}

function createBubble(): HTMLElement {
  const bubble = document.createElement('div');
  bubble.popover = 'manual';
  bubble.ariaHidden = 'true';
  bubble.dataset.tooltipBubble = '';
  bubble.className = LOOK;
  return bubble;
}

let isInstalled = false;

/** Enables tooltips on this page, once. Browser only. */
export function installTooltips(): void {
  if (isInstalled) return;
  isInstalled = true;
  new Tooltip().start();
}

/** Positions the bubble above the button, or below if it doesn't fit; always within the window. */
function positionBubble(bubble: HTMLElement, button: DOMRect): void {
  const { width, height } = bubble.getBoundingClientRect();
  const { clientWidth } = document.documentElement;
  const left = button.left + (button.width - width) / 2;
  const above = button.top - GAP - height;
  bubble.style.left = `${Math.max(EDGE, Math.min(left, clientWidth - EDGE - width))}px`;
  bubble.style.top = `${above >= EDGE ? above : button.bottom + GAP}px`;
}

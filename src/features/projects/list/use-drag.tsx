import { GripVertical } from 'lucide-react';
import {
  type ComponentProps,
  type ComponentType,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { classNames } from '#ui/class-names.ts';
import { IconButton } from '#ui/IconButton.tsx';

/**
 * Loads what makes a list draggable when someone reaches for it, and swaps it in for the plain one.
 * Whatever had the focus in the list gets it back afterward.
 *
 * @returns the draggable list once it is there, and what the element around it is given
 */
export function useDrag<Props>(
  plain: ComponentType<Props>,
  load: () => Promise<{ default: ComponentType<Props> }>,
): {
  Frame: ComponentType<Props>;
  around: {
    ref: RefObject<HTMLDivElement | null>;
    onPointerOver: () => void;
    onPointerMove: () => void;
    onFocus: () => void;
  };
} {
  const [Frame, setFrame] = useState<ComponentType<Props>>(() => plain);
  const ref = useRef<HTMLDivElement>(null);
  const asked = useRef(false);
  const focused = useRef<number>(-1);

  const reach = useCallback(() => {
    if (asked.current) return;
    asked.current = true;
    load().then(
      async (loaded) => {
        await quiet(ref.current);
        focused.current = focusables(ref.current).indexOf(document.activeElement as HTMLElement);
        // Right away: someone could open a menu before a later check, and would lose it.
        flushSync(() => setFrame(() => loaded.default));
      },
      // Offline: the list works by its menus, and the next reach tries again.
      () => {
        asked.current = false;
      },
    );
  }, [load]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once the frame has changed
  useEffect(() => {
    if (focused.current >= 0) focusables(ref.current)[focused.current]?.focus();
    focused.current = -1;
  }, [Frame]);

  // Not only on entering: the pointer may already be there when the page comes to life.
  return { Frame, around: { ref, onPointerOver: reach, onPointerMove: reach, onFocus: reach } };
}

/** Milliseconds between checks on whether the plain list may be replaced. */
const LOOK = 40;

/**
 * Waits until no menu of the list is open and nothing in it is pressed: it would be lost. So would
 * the button that a dialog over the page gives the focus back to.
 */
async function quiet(element: HTMLElement | null): Promise<void> {
  while (
    element?.querySelector('[aria-expanded="true"], :active') ||
    element?.closest('[aria-hidden="true"]')
  ) {
    await new Promise((done) => setTimeout(done, LOOK));
  }
}

const focusables = (element: HTMLElement | null) => [
  ...(element?.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea') ?? []),
];

/** The handle of a row or card, for a mouse or the space bar. */
export function DragHandle(props: { title: string } & ComponentProps<'button'>) {
  const { title, className, ...rest } = props;
  return (
    <IconButton
      {...rest}
      label={`Drag ${title}`}
      tip="Drag"
      className={classNames(
        'shrink-0 cursor-grab touch-none place-items-center rounded-small text-muted hover:bg-raised hover:text-ink',
        className,
      )}
    >
      <GripVertical className="size-4" aria-hidden="true" />
    </IconButton>
  );
}

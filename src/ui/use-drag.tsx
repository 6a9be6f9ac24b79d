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
import { classNames } from './class-names.ts';
import { IconButton } from './IconButton.tsx';

/**
 * Loads the draggable version of a list when the user hovers over it or focuses it, and swaps it in
 * for the plain one. The element in the list that had the focus gets it back afterward.
 *
 * @returns the list to render, draggable once it's loaded, and props for the element around it
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
        // Render synchronously: the user could open a menu in the meantime, and would lose it.
        flushSync(() => setFrame(() => loaded.default));
      },
      // Offline: the menus still work, and the next hover or focus tries again.
      () => {
        asked.current = false;
      },
    );
  }, [load]);

  // The focus may be in the list before the page hydrates.
  useEffect(() => {
    if (ref.current?.contains(document.activeElement)) reach();
  }, [reach]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once the frame has changed
  useEffect(() => {
    if (focused.current >= 0) focusables(ref.current)[focused.current]?.focus();
    focused.current = -1;
  }, [Frame]);

  // Not just on enter: the pointer may already be over the list when the page hydrates.
  return { Frame, around: { ref, onPointerOver: reach, onPointerMove: reach, onFocus: reach } };
}

/** Milliseconds between checks on whether the plain list can be replaced. */
const LOOK = 40;

/**
 * Waits until no menu of the list is open or opening, nothing in it is pressed and no dialog covers
 * it: the swap would lose the menu, the press, or the button that the dialog returns the focus to.
 */
async function quiet(element: HTMLElement | null): Promise<void> {
  while (
    element?.querySelector('[aria-expanded="true"], [data-opening], :active') ||
    element?.closest('[aria-hidden="true"]')
  ) {
    await new Promise((done) => setTimeout(done, LOOK));
  }
}

const focusables = (element: HTMLElement | null) => [
  ...(element?.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea') ?? []),
];

/** The drag handle of a row or card, for a pointer or the space bar. */
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

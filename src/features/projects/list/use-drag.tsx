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
 * Loads what makes a list draggable when somebody reaches for it, and puts it in the place of the
 * plain one. What had the focus in the list has it again afterwards.
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
        // At once: between this look and a later one somebody could open a menu, and would lose it.
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

  // Not on entering alone: the pointer may be there already when the page comes to life.
  return { Frame, around: { ref, onPointerOver: reach, onPointerMove: reach, onFocus: reach } };
}

/** Milliseconds between two looks at whether a list may be put in the place of the plain one. */
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

/** What a row or card is taken by, with a mouse or with the space bar. */
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

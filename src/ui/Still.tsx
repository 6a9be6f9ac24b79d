import { type ComponentProps, type ReactNode, useState, useSyncExternalStore } from 'react';

type StillProps = Omit<ComponentProps<'div'>, 'children'> & {
  as?: 'div' | 'span' | 'dl' | 'ol' | 'tbody';
  /** What the content is made of. A different value in it renders the content again. */
  of: readonly unknown[];
  /** Whether nothing happens in it now; it is by default. */
  isStill?: boolean;
  /** Renders the content, without anything that needs React: text, links, drawings. */
  children: () => ReactNode;
};

/** React keeps what's in the page as long as it gets the same object. */
const AS_IN_PAGE = { __html: '' };

const isServer = typeof document === 'undefined';
const never = () => () => {};

/**
 * Content that nothing happens in until it changes, such as the rows of a list that only lead elsewhere:
 * React takes it from the page as it is, instead of going through all of its elements. Nothing in it may
 * need React.
 */
export function Still(props: StillProps) {
  const { as: Element = 'div', of, isStill = true, children, ...rest } = props;
  const [shown] = useState({ of, cameWithPage: false, hasChanged: false });
  // Whether this component came with the page, rather than being added to it later.
  const cameWithPage = useSyncExternalStore(
    never,
    () => shown.cameWithPage,
    // Only called on the server and while React hydrates.
    () => {
      shown.cameWithPage = true;
      return true;
    },
  );
  if (!isStill || of.some((each, index) => each !== shown.of[index])) shown.hasChanged = true;
  // No keys: the element itself stays when its content becomes React’s.
  if (isServer || !cameWithPage || shown.hasChanged) {
    return <Element {...(rest as object)}>{children()}</Element>;
  }
  return (
    <Element
      {...(rest as object)}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: an empty text, which isn't used
      dangerouslySetInnerHTML={AS_IN_PAGE}
    />
  );
}

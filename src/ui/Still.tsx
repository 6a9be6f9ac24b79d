import { type ComponentProps, type ReactNode, useState, useSyncExternalStore } from 'react';

type StillProps = Omit<ComponentProps<'div'>, 'children'> & {
  as?: 'div' | 'tbody';
  /** What the content is made of. A different value in it renders the content again. */
  of: readonly unknown[];
  /** Renders the content, without anything that needs React: text, links, drawings. */
  children: () => ReactNode;
};

/** React keeps what's in the page as long as it gets the same object. */
const AS_IN_PAGE = { __html: '' };

const isServer = typeof document === 'undefined';
const never = () => () => {};

/** Whether this component came with the page, rather than being added to it later. */
function useCameWithPage(): boolean {
  const [came] = useState({ withPage: false });
  return useSyncExternalStore(
    never,
    () => came.withPage,
    // Only called on the server and while React hydrates.
    () => {
      came.withPage = true;
      return true;
    },
  );
}

/**
 * Content that nothing happens in until it changes, such as the rows of a list that only lead elsewhere:
 * React takes it from the page as it is, instead of going through all of its elements. Nothing in it may
 * need React, such as an Avatar, which falls back to initials when its picture fails.
 */
export function Still({ as: Element = 'div', of, children, ...rest }: StillProps) {
  const cameWithPage = useCameWithPage();
  const [shown] = useState({ of, hasChanged: false });
  if (of.some((each, index) => each !== shown.of[index])) shown.hasChanged = true;
  if (isServer || !cameWithPage || shown.hasChanged) {
    return (
      <Element key="rendered" {...(rest as object)}>
        {children()}
      </Element>
    );
  }
  return (
    <Element
      key="in-page"
      {...(rest as object)}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: an empty text, which isn't used
      dangerouslySetInnerHTML={AS_IN_PAGE}
    />
  );
}

import { useState } from 'react';
import type { DialogProps } from './DialogWindow.tsx';
import { renderOpener } from './Opener.tsx';
import { useOpenedPart } from './use-part.ts';

const loadWindow = () => import('./DialogWindow.tsx');

/** A modal dialog. On a phone it's at the bottom edge. Its code is loaded after the page. */
export function Dialog(props: DialogProps) {
  const { open, onOpenChange, trigger } = props;
  const [wasOpened, setOpened] = useState(open);
  if (open && !wasOpened) setOpened(true);
  const part = useOpenedPart(loadWindow, open, () => onOpenChange(false));
  // A page that only re-renders keeps its button, which may have the focus.
  if (part && wasOpened) return <part.DialogWindow {...props} />;
  if (!trigger) return null;
  return renderOpener({
    trigger,
    opens: 'dialog',
    isOpening: open,
    onOpen: () => onOpenChange(true),
  });
}

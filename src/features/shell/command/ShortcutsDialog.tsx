import { useState } from 'react';
import { isApple } from '#lib/browser/is-apple.ts';
import { areSingleKeysOn, setSingleKeys } from '#lib/browser/single-keys.ts';
import { DialogWindow } from '#ui/DialogWindow.tsx';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { Key } from './Key.tsx';

interface Shortcut {
  /** Keys pressed together, joined by "+"; other ways to do the same are separate. */
  keys: readonly string[];
  does: string;
}

interface ShortcutGroup {
  where: string;
  shortcuts: readonly Shortcut[];
}

/** Every shortcut of the product. `Mod` is Ctrl, or ⌘ on Apple's keyboards. */
const GROUPS: readonly ShortcutGroup[] = [
  {
    where: 'On every page',
    shortcuts: [
      { keys: ['Mod+K'], does: 'Find anything, and open any page' },
      { keys: ['?'], does: 'Show these shortcuts' },
      { keys: ['Esc'], does: 'Close what’s open' },
    ],
  },
  {
    where: 'In the quiz',
    shortcuts: [
      { keys: ['A–E'], does: 'Choose an answer by the letter on its card' },
      { keys: ['1–5'], does: 'Rate how sure you are' },
      { keys: ['Enter'], does: 'Go to the next question' },
    ],
  },
  {
    where: 'In a conversation',
    shortcuts: [
      { keys: ['Enter'], does: 'Send the message' },
      { keys: ['Shift+Enter'], does: 'Start a new line' },
      { keys: ['↑'], does: 'Edit your last message, from an empty field' },
    ],
  },
  {
    where: 'In the cash forecast',
    shortcuts: [
      { keys: ['Enter', 'F2'], does: 'Edit a cell' },
      { keys: ['Mod+R'], does: 'Fill to the right' },
      { keys: ['Mod+Z'], does: 'Undo' },
      { keys: ['Mod+Y'], does: 'Redo' },
      { keys: ['Mod+A'], does: 'Select everything' },
    ],
  },
  {
    where: 'On a board',
    shortcuts: [
      { keys: ['Space'], does: 'Pick up a card by its handle, and drop it' },
      { keys: ['←', '→'], does: 'Move it to another column' },
    ],
  },
  { where: 'In a chart', shortcuts: [{ keys: ['←', '→'], does: 'Read it value by value' }] },
];

/** The keyboard shortcuts, and whether those of a single key work in this browser. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [isOn, setOn] = useState(areSingleKeysOn);
  const mod = isApple(navigator.userAgent) ? '⌘' : 'Ctrl';
  return (
    <DialogWindow
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="Keyboard shortcuts"
      className="sm:w-[min(40rem,calc(100vw-2rem))]!"
    >
      <div className="gap-x-8 sm:columns-2">
        {GROUPS.map(({ where, shortcuts }) => (
          <section key={where} className="mb-5 break-inside-avoid">
            <h3 className="mb-1 text-sm">{where}</h3>
            <dl className="flex flex-col text-sm">
              {shortcuts.map(({ keys, does }) => (
                <div key={does} className="flex items-baseline gap-3 py-1">
                  <dt className="flex w-24 shrink-0 flex-wrap gap-1">
                    {keys.map((each) => (
                      <Key key={each}>{each.replace('Mod', mod).replaceAll('+', ' ')}</Key>
                    ))}
                  </dt>
                  <dd className="text-muted">{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <Checkbox
        label="Let a single key open this list"
        hint="Turn this off if “?” gets in your way, for example with voice control. “Find anything” still leads to the list. Applies to this browser."
        checked={isOn}
        onChange={({ currentTarget }) => {
          setSingleKeys(currentTarget.checked);
          setOn(currentTarget.checked);
        }}
      />
    </DialogWindow>
  );
}

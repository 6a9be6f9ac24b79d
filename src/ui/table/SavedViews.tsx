import { useStore } from '@nanostores/react';
import type { ReadableAtom } from 'nanostores';
import { type FormEvent, useEffect, useState } from 'react';
import { type AppError, toAppError } from '#lib/errors.ts';
import { Button } from '../Button.tsx';
import { Dialog } from '../Dialog.tsx';
import { Failure } from '../Failure.tsx';
import { Field } from '../forms/Field.tsx';
import { LineIcon } from '../LineIcon.tsx';
import { Menu } from '../Menu.tsx';
import { useAction } from '../use-action.ts';

interface View {
  id: string;
  name: string;
  /** The filters as a URL query. */
  query: string;
}

/** A store of the user's saved views. */
export interface ViewSource {
  /** Null until they're loaded. */
  $views: ReadableAtom<readonly View[] | null>;
  $failure: ReadableAtom<AppError | null>;
  load: () => Promise<void>;
  /** Both throw an AppError. */
  save: (name: string, query: string) => Promise<void>;
  remove: (view: View) => Promise<void>;
}

interface SavedViewsProps {
  views: ViewSource;
  /** The list's path, and its current filters as a URL query. */
  path: string;
  query: string;
}

const BOOKMARK =
  'M17 3a2 2 0 0 1 2 2v15a1 1 0 0 1-1.496.868l-4.512-2.578a2 2 0 0 0-1.984 0l-4.512 2.578A1 1 0 0 1 5 20V5a2 2 0 0 1 2-2z';

/** The user's saved views of a list: open one, save the current filters, remove one. */
export function SavedViews({ views, path, query }: SavedViewsProps) {
  const saved = useStore(views.$views, { ssr: 'initial' });
  const unread = useStore(views.$failure, { ssr: 'initial' });
  const [isNaming, setIsNaming] = useState(false);
  const { failure, run } = useAction(toAppError);
  const current = saved?.find((view) => view.query === query);
  const load = () => {
    if (saved === null || unread) void views.load();
  };
  // A page opened with filters shows the name of the view that matches them.
  // biome-ignore lint/correctness/useExhaustiveDependencies: filters chosen later are compared with what is read
  useEffect(() => {
    if (query !== '') load();
  }, []);
  const entries = (saved ?? []).map((view) => ({
    key: view.id,
    label: view.name,
    href: path + view.query,
    current: view === current,
  }));
  const empty = unread ? unread.message : saved === null ? 'Loading…' : 'No saved views yet';
  return (
    <span>
      <Menu
        label="Saved views"
        onOpen={load}
        trigger={
          <Button size="small" variant="quiet" needsScript>
            {LineIcon({ d: BOOKMARK, box: 24, width: 2, className: 'size-4' })}
            {current ? current.name : 'Saved views'}
          </Button>
        }
        groups={[
          entries.length > 0 ? entries : [{ key: 'empty', label: empty, disabled: true }],
          [
            ...(current
              ? [
                  {
                    key: 'remove',
                    label: `Remove “${current.name}”`,
                    danger: true,
                    onSelect: () => void run(() => views.remove(current)),
                  },
                ]
              : []),
            { key: 'save', label: 'Save this view…', onSelect: () => setIsNaming(true) },
          ],
        ]}
      />
      <Failure failure={failure} title="We couldn’t remove the view" className="mt-2" />
      {isNaming && (
        <NameDialog
          onClose={() => setIsNaming(false)}
          onSave={(name) => views.save(name, query)}
          names={(saved ?? []).map(({ name }) => name)}
        />
      )}
    </span>
  );
}

interface NameProps {
  onClose: () => void;
  onSave: (name: string) => Promise<void>;
  names: readonly string[];
}

function NameDialog({ onClose, onSave, names }: NameProps) {
  const [name, setName] = useState('');
  const { pending, failure, run } = useAction(toAppError);
  const replaces = names.includes(name.trim());
  const save = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      await onSave(name);
      onClose();
    });
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Save this view"
      description="Saves the filters and sort order, for you only."
    >
      <form className="flex flex-col gap-4" onSubmit={save}>
        <Field
          label="Name"
          required
          maxLength={60}
          autoComplete="off"
          value={name}
          hint={replaces ? 'This replaces the view with that name.' : undefined}
          onChange={({ target }: { target: HTMLInputElement }) => setName(target.value)}
        />
        <Failure failure={failure} title="We couldn’t save the view" />
        <div className="flex justify-end gap-2">
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" pending={pending}>
            Save view
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

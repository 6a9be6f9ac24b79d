import * as v from 'valibot';
import type { Db } from '#lib/supabase.ts';
import { defineKind, quoted, sendWith } from './kind.ts';
import { createRevisionSaver, type Saving } from './own-revisions.ts';

interface TextKindSpec<Text, Stored extends { revision: number }, Data> {
  name: string;
  /** The schema of the text. */
  text: v.GenericSchema<unknown, Text>;
  /** Whether a text that was sent is the stored one, which the database has tidied. */
  isSame(sent: Text, stored: Stored): boolean;
  /** Loads the module of `data/` that saves it. */
  load(): Promise<Data>;
  save(data: Data, client: Db, id: string, text: Text, revision: number): Promise<Saving<Stored>>;
  /** What it's called on the offline page, and its title, if it has one. */
  what: string;
  titleOf?(text: Text): string;
}

/** Defines the kind of a whole text that several people write and that's saved as it's typed. */
export function defineTextKind<Text extends object, Stored extends { revision: number }, Data>(
  spec: TextKindSpec<Text, Stored, Data>,
) {
  const saver = createRevisionSaver<Text, Stored>(spec.isSame);
  return defineKind({
    name: spec.name,
    rest: 800,
    schema: v.object({ value: spec.text, base: v.object({ revision: v.number() }) }),
    send: ({ value, base }, id) =>
      sendWith(spec.load, (data, client) =>
        saver(id, { value, revision: base.revision }, (revision) =>
          spec.save(data, client, id, value, revision),
        ),
      ),
    summarize: ({ value }) => quoted(spec.what, spec.titleOf?.(value) ?? ''),
  });
}

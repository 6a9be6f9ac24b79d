import type { FieldMark } from '#sync/kept-fields.ts';

const WORDS: Record<FieldMark<unknown>['name'], string> = {
  saving: 'Saving…',
  saved: 'Saved',
  'not-sent': 'Not sent yet',
  'this-tab': 'In this tab only',
  'signed-out': 'Not sent yet',
  refused: 'Not saved',
  conflict: 'Not saved',
  renewed: 'Changed by somebody else',
};

/** Whether a field is safe, in two words beside its label. */
export function SavedWords({ mark }: { mark: FieldMark<unknown> | null }) {
  return <span className="text-muted">{mark && WORDS[mark.name]}</span>;
}

/** Projects mirrored in Wrike, as admins see them: the list, its filter, and what each is. */
import { choiceParam, type FilterOf, filterCodec, placeParam, textParam } from './list.ts';

/** What an admin can have done. */
export type WrikeStep = 'check' | 'list_folders';

/** What should become of a mirrored project: follow ours, stay as it is, or go. */
export const MIRROR_WANTS = ['save', 'keep', 'remove'] as const;
export const MIRROR_STATES = ['waiting', 'sending', 'sent', 'refused'] as const;

export type MirrorStep = 'stop' | 'continue' | 'remove' | 'replay';

/** What people in Wrike call the statuses that our projects get there, by what its API calls them. */
export const WRIKE_STATUS_LABELS: Record<string, string> = {
  Green: 'On track',
  Red: 'Off track',
  OnHold: 'On hold',
  Completed: 'Completed',
  Cancelled: 'Canceled',
};

interface Mirror {
  wants: (typeof MIRROR_WANTS)[number];
  state: (typeof MIRROR_STATES)[number];
}

/** How far a mirrored project is, in words. */
export function mirrorText({ wants, state }: Mirror): string {
  if (state === 'refused') return 'Refused';
  if (wants === 'remove') return 'Being deleted';
  if (wants === 'keep') return 'Not updated anymore';
  return { waiting: 'Waiting', sending: 'Being sent', sent: 'Up to date' }[state];
}

/** What can be done with a mirrored project, the likeliest first. */
export function mirrorSteps({ wants, state }: Mirror): readonly MirrorStep[] {
  const again = state === 'refused' ? (['replay'] as const) : [];
  if (wants === 'remove') return again;
  return [...again, wants === 'save' ? 'stop' : 'continue', 'remove'];
}

export const mirrorFilter = filterCodec({
  /** Of a project's title or its business. */
  words: textParam('q'),
  state: choiceParam('state', ['waiting', 'sent', 'refused', 'kept'], null),
  sort: choiceParam('sort', ['newest'], 'newest'),
  place: placeParam(),
});
export type MirrorFilter = FilterOf<typeof mirrorFilter>;

/** Its parameters are named apart from the other list's on the screen. */
export const folderFilter = filterCodec({
  /** Of a folder's title. */
  words: textParam('folder'),
  sort: choiceParam('folder-sort', ['tree'], 'tree'),
  place: placeParam('folder-page'),
});
export type FolderFilter = FilterOf<typeof folderFilter>;

import type { WrikeMirror } from '#data/wrike.ts';

/** What a mirrored project is called. */
export const mirrorName = ({ is_test, project }: WrikeMirror): string =>
  project?.title ?? (is_test ? 'Test project' : 'A deleted project');

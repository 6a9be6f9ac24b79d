/** The files, the video and its picture that an admin brings to a tool's draft. */
import { createToolFile } from '#data/tool-files.ts';
import { readableName } from '#domain/tool-media.ts';
import type { AttemptDeps } from '#lib/attempt.ts';
import { videoLength } from '#lib/browser/video-length.ts';
import { TOOL_FILES, TOOL_POSTERS, TOOL_VIDEOS } from '#lib/files/file-text.ts';
import { createUploads, isWaiting } from '#lib/files/uploads.ts';
import type { DraftStore } from './draft-store.ts';

export type MediaStore = ReturnType<typeof createMediaStore>;

/**
 * Creates the upload lists of a tool. What has arrived becomes part of the draft, which saves itself.
 * @param draft that the files are added to
 */
export function createMediaStore(
  { db, signedOut }: Pick<AttemptDeps, 'db' | 'signedOut'>,
  toolId: string,
  draft: Pick<DraftStore, 'addFile' | 'setVideo' | 'setPoster'>,
) {
  const files = createUploads({
    accepted: TOOL_FILES,
    signedOut,
    store: async (file) => createToolFile(await db(), toolId, file, null),
    arrived(id, { name, type, size }) {
      files.drop(id);
      draft.addFile({ id, name: readableName(name), type, size });
    },
  });
  const video = createUploads({
    accepted: TOOL_VIDEOS,
    signedOut,
    store: async (file) => createToolFile(await db(), toolId, file, await videoLength(file.file)),
    arrived(id, { type, size, seconds }) {
      video.drop(id);
      draft.setVideo({ id, type, size, seconds, poster: null });
    },
  });
  const poster = createUploads({
    accepted: TOOL_POSTERS,
    signedOut,
    store: async (file) => createToolFile(await db(), toolId, file, null),
    arrived(id) {
      poster.drop(id);
      draft.setPoster(id);
    },
  });
  const lists = [files, video, poster];
  return {
    files,
    video,
    poster,
    /** Restarts uploads that a lost connection or session stopped. */
    retry(): void {
      for (const list of lists) list.retry();
    },
    /** Whether a file isn't stored yet but still could be. */
    isWaiting: () => lists.some((list) => list.$uploads.get().some(isWaiting)),
  };
}

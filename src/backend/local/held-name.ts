import { stat } from 'node:fs/promises';
import { createServer } from 'node:net';

/**
 * Holds the name of a folder for this process, by the folder's number on its disk. The name is in the
 * kernel and not in a file (an abstract socket on Linux, a pipe on Windows), so nobody can delete it, and
 * it ends with its process however that ends. Containers with a network of their own don't see it.
 *
 * @returns what lets it go; undefined when another process, or this one, holds it.
 */
export async function holdNameOf(folder: string): Promise<(() => void) | undefined> {
  const { dev, ino } = await stat(folder, { bigint: true });
  const name = `folder-${dev}-${ino}`;
  const path = { linux: `\0${name}`, win32: `\\\\.\\pipe\\${name}` }[process.platform as 'linux'];
  // Other systems have no such name; there the lock file alone decides.
  if (!path) return () => {};
  const server = createServer((socket) => socket.destroy()).unref();
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (['EADDRINUSE', 'EACCES'].includes(error.code ?? '')) resolve(undefined);
      else reject(error);
    });
    server.listen({ path }, () => resolve(() => void server.close()));
  });
}

import { stat } from 'node:fs/promises';
import { createServer } from 'node:net';

/** Whether this system has such names; elsewhere everybody gets any of them. */
export const hasHeldNames = ['linux', 'win32'].includes(process.platform);

/**
 * Holds a name for this process. It's in the kernel and not in a file (an abstract socket on Linux, a
 * pipe on Windows), so nobody can delete it, and it ends with its process however that ends. Containers
 * with a network of their own don't see it.
 *
 * @returns what lets it go; undefined when another process, or this one, holds it.
 */
export async function holdName(name: string): Promise<(() => void) | undefined> {
  if (!hasHeldNames) return () => {};
  const path = process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : `\0${name}`;
  const server = createServer((socket) => socket.destroy()).unref();
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (['EADDRINUSE', 'EACCES'].includes(error.code ?? '')) resolve(undefined);
      else reject(error);
    });
    server.listen({ path }, () => resolve(() => void server.close()));
  });
}

/** Holds the name of a folder, which is its number on its disk. */
export async function holdNameOf(folder: string): Promise<(() => void) | undefined> {
  const { dev, ino } = await stat(folder, { bigint: true });
  return holdName(`folder-${dev}-${ino}`);
}

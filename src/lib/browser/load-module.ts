import { AppError } from '../app-error.ts';

/**
 * Loads a part of the page's code: `loadModule(() => import('./supabase.ts'))`. Without a
 * connection it doesn't even try: a browser remembers that an import failed, and doesn't request
 * the module again until the page is reloaded. https://github.com/whatwg/html/issues/6768
 * @throws AppError of kind `network`
 */
export async function loadModule<Module>(load: () => Promise<Module>): Promise<Module> {
  if (navigator.onLine === false) throw new AppError('network');
  return load().catch((cause) => {
    throw new AppError('network', undefined, { cause });
  });
}

/** The same as soon as there's a connection. */
export async function loadOnceOnline<Module>(load: () => Promise<Module>): Promise<Module> {
  if (navigator.onLine === false) {
    await new Promise((resolve) => addEventListener('online', resolve, { once: true }));
  }
  return loadModule(load);
}

/**
 * What a dynamic import asks for ahead, in a fifth of the bytes: Vite's own helper also minds style
 * sheets, which come with the layouts here, and browsers without `modulepreload`. An article with a
 * calculator loads it before anybody has touched it.
 */
const HELPER = '\0vite/preload-helper.js';

const CODE = `export const __vitePreload = (load, files = []) => {
  for (const file of files) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = '/' + file;
    document.head.append(link);
  }
  return load();
};`;

/** The plugin of Vite that puts it in place. */
export function leanPreload() {
  return {
    name: 'lean-preload',
    enforce: 'pre' as const,
    apply: 'build' as const,
    load: (id: string) => (id === HELPER ? CODE : null),
  };
}

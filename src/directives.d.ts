import 'astro';

declare module 'astro' {
  interface AstroClientDirectives {
    /** Hydrates once all other islands work and the browser is idle (lib/browser/client-rest.ts). */
    'client:rest'?: boolean;
  }
}

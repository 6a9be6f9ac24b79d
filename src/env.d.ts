/// <reference types="astro/client" />

/** Made by integrations/build-identity.ts. */
declare module 'virtual:build' {
  /** The name of this build; `dev` while developing. */
  export const buildId: string;
}

declare namespace App {
  /** What the middleware gives to every page that is asked for. */
  interface Locals {
    /** Speaks to the backend for the person who asks, or for a visitor. */
    db: import('#lib/supabase.ts').Db;
    /** Who asks; null for a visitor. Never null on a page whose guard is `auth` or `admin`. */
    session: import('#session/session-facts.ts').SessionFacts | null;
    /** What the browser must know of the backend, for `<script id="app-config">`. */
    appConfig: import('#lib/app-config.ts').AppConfig;
    /** Names this request in the log and on an error page. */
    reference: string;
    /** The path that a person asked for, for the page "Page Not Found". */
    askedPath: string;
    /** The code of what made an error page take the place of the page, where that has one. */
    failureCode?: string | undefined;
  }
}

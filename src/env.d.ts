/// <reference types="astro/client" />

/** Provided by integrations/build-identity.ts. */
declare module 'virtual:build' {
  /** The id of this build; `dev` in development. */
  export const buildId: string;
}

declare namespace App {
  /** What the middleware provides to every page that's rendered on demand. */
  interface Locals {
    /** Sends requests to the embedded backend without a network, if there is one. */
    backendFetch?: import('#lib/http.ts').Fetch | undefined;
    /** The Supabase client for this request, acting as the signed-in person or as a visitor. */
    db: import('#lib/supabase.ts').Db;
    /** The signed-in person; null for a visitor, but never with an `auth` or `admin` guard. */
    session: import('#session/session-facts.ts').SessionFacts | null;
    /** The backend settings that the browser needs, for `<script id="app-config">`. */
    appConfig: import('#lib/app-config.ts').AppConfig;
    /** Identifies this request in the log and on error pages. */
    reference: string;
    /** The path that was requested, for error pages. */
    askedPath: string;
    /** The error code behind an error page, if there is one. */
    failureCode?: string | undefined;
  }
}

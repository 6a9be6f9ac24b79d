/**
 * `client:rest`: hydrates an island once all others work and the browser is idle. For the frame of a page,
 * whose links and texts work without it. (With `client:idle`, a browser that waits for the screen's data
 * hydrates the frame before the screen.)
 */
import type { ClientDirective } from 'astro';
import { whenIdle } from './when-idle.ts';

const rest: ClientDirective = (load) => {
  whenIdle(async () => {
    const hydrate = await load();
    await hydrate();
  });
};

export default rest;

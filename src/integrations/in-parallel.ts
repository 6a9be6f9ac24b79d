import type { AstroIntegration } from 'astro';

/**
 * Runs the `astro:build:done` hooks of several integrations in parallel. They must read and write
 * built pages synchronously (`…Sync`), so that none reads a page that another has half written.
 */
export function inParallel(...integrations: AstroIntegration[]): AstroIntegration[] {
  const steps = integrations.map(({ name, hooks }) => ({ name, step: hooks['astro:build:done'] }));
  const others = integrations.map(({ hooks, ...rest }) => {
    const { 'astro:build:done': _, ...earlier } = hooks;
    return { ...rest, hooks: earlier };
  });
  return [
    ...others,
    {
      name: 'in-parallel',
      hooks: {
        'astro:build:done': async (options) => {
          await Promise.all(
            steps.map(({ name, step }) =>
              step?.({ ...options, logger: options.logger.fork(name) }),
            ),
          );
        },
      },
    },
  ];
}

import type { AstroIntegration } from 'astro';

/**
 * Integrations that take their last step at the same time instead of one after the other. They must
 * read and write the built pages whole (`…Sync`), so that none finds half of what another writes.
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

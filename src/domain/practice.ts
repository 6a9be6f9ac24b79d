/** The practices that the quiz asks about, in any version. Each has a tool that does it. */

/** By area, in the order of the quiz; a practice that's no longer asked stays. */
export const PRACTICES = [
  'web-design.findable-and-accurate',
  'web-design.works-for-everyone',
  'web-design.clear-next-step',
  'web-design.visits-and-leads',
  'custom-research.customer-conversations',
  'custom-research.competitor-review',
  'custom-research.test-before-spending',
  'custom-research.known-segment',
  'growth-strategy.written-goals',
  'growth-strategy.chosen-priorities',
  'growth-strategy.progress-numbers',
  'growth-strategy.quarterly-review',
  'sales-marketing.leads-tracked',
  'sales-marketing.channel-cost',
  'sales-marketing.repeat-customers',
  'sales-marketing.reasoned-price',
  'sales-marketing.getting-paid',
  'business-planning.one-page-plan',
  'business-planning.business-model',
  'business-planning.risks-and-licenses',
  'business-planning.funding-need',
  'business-planning.written-agreements',
  'people-management.written-roles',
  'people-management.hiring-and-first-week',
  'people-management.one-to-ones',
  'people-management.pay-records',
  'financial-projection.every-transaction',
  'financial-projection.monthly-profit-and-loss',
  'financial-projection.cash-forecast',
  'financial-projection.costs-and-break-even',
  'financial-projection.tax-set-aside',
  'operations-workflows.steps-documented',
  'operations-workflows.stock-or-capacity',
  'operations-workflows.quality-and-complaints',
  'operations-workflows.backups-and-access',
  'operations-workflows.suppliers-compared',
] as const;

/**
 * What's wrong with the tools for the practices, in sentences: each practice has exactly one, and
 * it's in the practice's area. Empty if nothing is.
 */
export function practiceTroubles(
  tools: readonly { slug: string; area: string; practice: string }[],
): string[] {
  const byPractice = Map.groupBy(tools, ({ practice }) => practice);
  const counts = PRACTICES.flatMap((practice) => {
    const found = byPractice.get(practice) ?? [];
    if (found.length === 1) return [];
    if (found.length === 0) return [`No tool does ${practice}. Write one in content/toolbox.`];
    const slugs = found.map(({ slug }) => slug).join(' and ');
    return [`${slugs} both do ${practice}. Keep one of them, or give the other its own practice.`];
  });
  const areas = tools
    .filter(({ area, practice }) => !practice.startsWith(`${area}.`))
    .map(({ slug, area, practice }) => `${slug} is in ${area}, but it does ${practice}.`);
  return [...counts, ...areas];
}

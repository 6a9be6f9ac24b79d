import type { SessionFacts } from '#data/session.ts';

/** Who a signed-in page was rendered for, from what layouts/Shell.astro wrote into it; null on other pages. */
export function pageFacts(): SessionFacts | null {
  const text = document.getElementById('session-facts')?.dataset.facts;
  return text ? (JSON.parse(text) as SessionFacts) : null;
}

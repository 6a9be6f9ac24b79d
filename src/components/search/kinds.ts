/** What the search tells apart: `kind:…` on a page, and the word for several of them. */
export const KINDS = [
  { kind: 'Article', label: 'Articles' },
  { kind: 'Guide', label: 'Guides' },
  { kind: 'Case study', label: 'Case studies' },
  { kind: 'Event', label: 'Events' },
  { kind: 'News', label: 'News' },
  { kind: 'Page', label: 'Other pages' },
] as const;

/** The kinds of pages in search: the value of `kind:…` on a page, and its plural label. */
export const KINDS = [
  { kind: 'Article', label: 'Articles' },
  { kind: 'Guide', label: 'Guides' },
  { kind: 'Case study', label: 'Case studies' },
  { kind: 'Tool', label: 'Tools' },
  { kind: 'Event', label: 'Events' },
  { kind: 'News', label: 'News' },
  { kind: 'Page', label: 'Other pages' },
] as const;

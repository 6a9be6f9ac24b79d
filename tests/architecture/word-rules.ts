/** Words and patterns that sound translated or British, with what Americans say instead. */
export interface WordRule {
  /** A space matches any whitespace; case is ignored. */
  pattern: RegExp;
  instead: string;
}

/** Negatives are contracted everywhere, except in warnings: “Do not share this code”. */
const NOT = '(?:do|does|did|is|are|was|were|has|have|had|could|would|should|will) not';
const WARNINGS = 'do not (?:send|open|share|give|enter|copy|sign|pay)';

/** Before “you are” and the like, where nobody contracts: “as you are”, “how sure they are”. */
const STRESSED = '(?<!\\b(?:who|what|where|how|how sure|as|than|that) )';

export const RULES: readonly WordRule[] = [
  // Contractions.
  { pattern: new RegExp(`\\b(?!${WARNINGS})${NOT}\\b`), instead: 'don’t, isn’t, won’t …' },
  { pattern: /\b(?:cannot|can not)\b/, instead: 'can’t' },
  {
    pattern: new RegExp(`${STRESSED}\\b(?:you|we|they) are\\b(?!\\s*(?:[.,;:?!)”"']|$))`),
    instead: 'you’re, we’re, they’re',
  },
  { pattern: /\b(?:you|we|they) will\b/, instead: 'you’ll, we’ll, they’ll' },
  { pattern: /\bI am\b/, instead: 'I’m' },

  // Words.
  {
    pattern:
      /(?<!\b(?:certified|direct|first-class|regular|US|U\.S\.) )(?<![/@.-])\b(?:e-)?mails?\b(?! servers?\b)(?![/@-]|\.\w)/,
    instead: 'email',
  },
  { pattern: /\bmailed\b/, instead: 'emailed' },
  { pattern: /\btelephones?\b/, instead: 'phone' },
  { pattern: /\b(?:some|any|every)body\b/, instead: 'someone, anyone, everyone' },
  { pattern: /\bwhom\b/, instead: 'who' },
  { pattern: /\bwhoever\b/, instead: 'name the person' },
  { pattern: /\bthose who\b/, instead: 'name the people' },
  { pattern: /\bmend(?:s|ed|ing)?\b/, instead: 'fix' },
  { pattern: /\bneed not\b|\bneedn[’']t\b/, instead: 'don’t need to' },
  { pattern: /\banew\b/, instead: 'again' },
  { pattern: /\b(?:begins?|began|begun)\b/, instead: 'start' },
  { pattern: /\bbeside\b/, instead: 'next to, compared with, along with' },
  { pattern: /\bafterwards\b/, instead: 'afterward' },
  { pattern: /\bpresent password\b/, instead: 'current password' },
  { pattern: /\btick(?:s|ed|ing)?\b/, instead: 'check, checkbox' },
  { pattern: /\bsettle[sd]?\b(?! (?:in|into|down|for|on|up)\b)/, instead: 'resolve, finish, pay' },
  {
    pattern: /\bsums\b|(?<!\blump )\bthe sum\b(?! of\b)/,
    instead: 'the math, the numbers, the total',
  },
  { pattern: /\btrading (?:yet|since)\b|\bit trading\b/, instead: 'open, in business' },
  { pattern: /\bbooked out\b/, instead: 'fully booked' },
  { pattern: /\bgrowers[’'] market\b/, instead: 'farmers’ market' },

  // Phrases.
  {
    pattern:
      /(?<!\b(?:to|farm|market|fruit|lemonade|where you) )\b(?:stands?|stood) (?:here|there|under|beside|again|in (?:the|your|a)|on (?:the|your|a))\b/,
    instead: 'is, appears, shows up',
  },
  { pattern: /\bhold(?:s|ing)? (?:you|us|them|a business) up\b/, instead: 'hold back' },
  {
    pattern:
      /\b(?:go|goes|went) on\b(?! (?:sale|vacation|leave|strike|hold|line|file|top|for|a|the|to|your)\b)/,
    instead: 'continue, keep going',
  },
  {
    pattern:
      /(?<!\bthere )\b(?:is|are) no (?!longer|more|less|better|worse|different|one\b|exception|guarantee|match|secret|substitute|accident)\w+/,
    instead: 'isn’t a …, don’t have …',
  },
  {
    pattern:
      /(?:^|[.,;:] |\b(?:that|as|if|when|what|where|how|and|but|so|because) )one (?:can|could|cannot|must|should|needs|types|likes|sees|knows|wants|asks|does|has to|may)\b|\bone[’']s own\b/,
    instead: 'you',
  },
  {
    pattern: /, and not\b(?! (?:only|just|every|all|much)\b)/,
    instead: '“, not …” or “instead of …”',
  },
  {
    pattern: /\b(?:in|on|at|for|by|under|with|from|to) which\b(?! case\b)/,
    instead: 'put the preposition at the end, or when, where',
  },
  {
    pattern: /\b(?:take|takes|took|taken|taking)(?: (?:it|them|this|that))? back\b/,
    instead: 'cancel, undo, withdraw',
  },
  {
    pattern: /\b(?:bring|brings|brought|bringing)(?: (?:it|them|this|that))? back\b/,
    instead: 'restore',
  },
  { pattern: /\bbetween two chairs\b/, instead: 'through the cracks' },
  { pattern: /\bsecond head\b/, instead: 'second opinion' },
  { pattern: /\bby turns\b/, instead: 'take turns' },
  {
    pattern:
      /(?<!\b(?:all|many|several|much|both|two|three|everything|things|people|plans|questions) )\bat once\b/,
    instead: 'right away, at the same time',
  },
  { pattern: /\bpeople who run (?:the|this) site\b/, instead: 'our staff' },

  // British spelling, and advertising.
  {
    pattern:
      /\b(?:behaviou?r(?<=our)|colou?r(?<=our)|favour|honour|labour|neighbour|organis|recognis|cheque|centre|licence|programme\b|whilst|amongst|learnt|grey|enrol\b|fulfil\b|cancelled|travell|labelled|modell)\w*/,
    instead: 'American spelling',
  },
  {
    pattern: /\b(?:seamless|empower|leverag)\w*|\bunlock (?:your|the|new)\b|\byour journey\b/,
    instead: 'say what it does',
  },
];

/** Where rules don't apply: a path, which words (by default, the whole file is exempt), and why. */
export const EXCEPTIONS: readonly { path: RegExp; words?: RegExp; why: string }[] = [
  {
    path: /^content\/quiz\/version-1\.yaml$/,
    why: 'A published version of the quiz never changes.',
  },
  {
    path: /^content\/survey\.yaml$/,
    why: 'A survey in use never changes; its statements are fixed.',
  },
  { path: /^src\/backend\/supabase\/migrations\//, why: 'Migrations never change.' },
  {
    path: /\/case-studies\/(?:growth-strategy|web-design)\.mdx$/,
    words: /^(?:we are|do not)$/,
    why: 'Answers of the published quiz, word for word.',
  },
  { path: /\/privacy-policy\.mdx$/, words: /^Do Not$/, why: 'A setting of browsers.' },
  {
    path: /^src\/backend\/local\/(?:auth|gateway|realtime)\//,
    words: /not$/i,
    why: 'Messages of Supabase, which its clients know word for word.',
  },
  { path: /073-a-full-disk\.md$/, words: /^could not$/, why: 'A message of PostgreSQL.' },
  { path: /\/mail\/smtp\.ts$/, words: /^MAIL$/, why: 'A command of SMTP.' },
  { path: /\.sql$/, words: /^settled$/, why: 'A state of reports.' },
  { path: /\/postgres\/data-folder\.ts$/, words: /^begin$/, why: 'SQL.' },
  { path: /\/wrike[\w-]*\.(?:ts|sql)$/, words: /^Cancelled$/, why: 'A status in Wrike’s API.' },
  {
    path: /^src\/(?:backend|decisions)\//,
    words: /\bticks?\b/i,
    why: 'private.tick() runs the schedule.',
  },
];

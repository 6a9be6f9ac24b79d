import { expect, test } from 'vitest';
import { findWords } from './word-check.ts';
import { RULES } from './word-rules.ts';

const wordsIn = (file: string, text: string) => findWords(file, text).map(({ words }) => words);

/** One sentence that breaks each rule, in the order of the rules. */
const TRANSLATED = [
  'It is not a grade.',
  'You cannot lose anything.',
  'Here you are safe.',
  'Then we will call you.',
  'I am your coach.',
  'Look in your mail.',
  'The link was mailed to you.',
  'Call us by telephone.',
  'Ask somebody else.',
  'Whom have you asked?',
  'Tell whoever owns it.',
  'It helps those who ask.',
  'Mend the field above.',
  'You need not do anything.',
  'Start anew.',
  'The lease begins in May.',
  'The score stands beside it.',
  'Ask them afterwards.',
  'Type your present password.',
  'Tick the box.',
  'Settle the report.',
  'The sums are right.',
  'Is it trading?',
  'We are booked out.',
  'At the growers’ market.',
  'Your answer stands here.',
  'Skills that hold you up.',
  'You can go on tomorrow.',
  'This is no picture.',
  'It is saved as one types.',
  'Half an hour, and not six.',
  'The month in which it breaks.',
  'Take it back at any time.',
  'Bring it back within 30 days.',
  'It falls between two chairs.',
  'A question that needs a second head.',
  'They lead by turns.',
  'Call them at once.',
  'The people who run this site.',
  'What it does to your behaviour.',
  'A seamless tool.',
];

test('Each rule refuses what it is for', () => {
  expect(TRANSLATED).toHaveLength(RULES.length);
  const missed = TRANSLATED.filter((sentence, place) => {
    const found = findWords('content/pages/x.mdx', sentence);
    return !found.some(({ instead }) => instead === RULES[place]?.instead);
  });
  expect(missed).toEqual([]);
});

test.each([
  'Do not send your Social Security number.',
  'A mail server answered, and mail.example.com is its name. We sent direct mail.',
  'Say who you are.',
  'There is no charge, and the office is no longer open.',
  'This one can wait, and no one knows.',
  'Two can do three things at once, in which case they go on vacation.',
  'She stands out at the farm stand on Fourth Street.',
  'We settled in. A lump sum is paid, and the sum of the rest follows.',
  'Not only this, and not just that. Nobody minds.',
  'A ticket for the meeting, with cartoons.',
])('Americans say: %s', (sentence) => {
  expect(wordsIn('content/pages/x.mdx', sentence)).toEqual([]);
});

test('Words are found across a line break, with the line on which they begin', () => {
  const text = '---\ntitle: Books\n---\n\nNothing here. It is saved as\none types.\n';
  expect(findWords('content/pages/x.mdx', text)).toEqual([
    { line: 5, words: 'as one types', instead: 'you' },
  ]);
});

test('Code, addresses, keys and comments aren’t prose', () => {
  const mdx = 'mail: x\n---\n\n`mail` [here](/mail/now) {props.mail}\n\n```sh\nmail me\n```\n';
  expect(wordsIn('content/pages/x.mdx', `---\n${mdx}`)).toEqual([]);
  expect(wordsIn('content/site.yaml', '# Where mail goes\nmail: hello\n')).toEqual([]);
  const ts = '// the mail\nconst mail = db`select mail from mails`;';
  expect(wordsIn('src/lib/x.ts', ts)).toEqual([]);
  expect(wordsIn('src/ui/X.tsx', 'const X = <p className="mail begin">Hi</p>;')).toEqual([]);
});

test('Strings, elements, attributes and SQL messages are read', () => {
  const tsx = `const X = <p title="Your mail">Begin {\`the mail of \${name}\`}</p>;\nf("Telephone");`;
  expect(wordsIn('src/ui/X.tsx', tsx)).toEqual(['mail', 'Begin', 'mail', 'Telephone']);
  const astro = '---\nconst lead = "Your mail comes";\n---\n<p class="mail">Ask somebody</p>\n';
  expect(wordsIn('src/pages/x.astro', astro)).toEqual(['mail', 'somebody']);
  const sql = "-- mail\nraise exception 'You cannot, it''s closed.';\nselect mail;";
  expect(wordsIn('src/backend/supabase/schemas/x.sql', sql)).toEqual(['cannot']);
});

test('What is published or not ours keeps its words', () => {
  expect(wordsIn('content/quiz/version-1.yaml', 'text: You cannot')).toEqual([]);
  expect(wordsIn('src/backend/supabase/migrations/1.sql', "'You cannot go'")).toEqual([]);
});

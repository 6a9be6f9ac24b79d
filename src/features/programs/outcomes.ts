/** What to tell someone about a seat code, for each outcome. */
import type { ProgramTerms } from '#data/programs.ts';
import type { TakeOutcome } from '#domain/program.ts';

interface Words {
  title: string;
  text: string;
}

const orList = (words: readonly string[]) =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

/** Sentences for outcomes that aren't a seat. */
export function refusalWords(outcome: TakeOutcome, program: ProgramTerms | null): Words {
  const sponsor = program?.sponsor ?? 'the organization that gave it to you';
  switch (outcome) {
    case 'unknown':
      return {
        title: 'We don’t know this code',
        text: 'Check it against the message you got it in. It’s a word and five characters, such as OLIVE-7K4MQ.',
      };
    case 'used-up':
      return {
        title: 'This code has been used as often as it can be',
        text: `Ask ${sponsor} for another one.`,
      };
    case 'expired':
      return { title: 'This code has expired', text: `Ask ${sponsor} for a new one.` };
    case 'revoked':
      return {
        title: 'This code no longer works',
        text: `It was withdrawn. Ask ${sponsor} for another one.`,
      };
    case 'full':
      return {
        title: 'All seats are taken',
        text: 'Join the waiting list: when a seat is free, we hold it for the next in line and let you know.',
      };
    case 'waiting':
      return {
        title: 'You’re on the waiting list',
        text: 'When it’s your turn, we’ll hold a seat for you for 14 days and let you know by email and here.',
      };
    case 'over':
      return {
        title: 'This program is over',
        text: 'Its seats can’t be taken anymore. You can still use the quiz and the toolbox for free.',
      };
    case 'other-address':
      return {
        title: 'This seat is held for another email address',
        text: 'An invitation only works with the address it was sent to. Sign in with that one, or ask for a new invitation.',
      };
    case 'ended':
      return {
        title: 'This seat isn’t held for you anymore',
        text: 'An invitation holds a seat for a limited time. Ask for a new one, or for a code.',
      };
    default:
      return eligibilityWords(outcome, program);
  }
}

function eligibilityWords(outcome: TakeOutcome, program: ProgramTerms | null): Words {
  switch (outcome) {
    case 'address':
      return {
        title: 'This program is for other addresses',
        text: `It’s for people with an email address at ${orList(program?.email_domains ?? [])}. Sign in with such an address.`,
      };
    case 'postal-code':
      return {
        title: 'This program is for another area',
        text: `It’s for businesses whose postal code starts with ${orList(program?.postal_prefixes ?? [])}. If your business has moved, change its postal code first.`,
      };
    case 'no-postal-code':
      return {
        title: 'We need your business’s postal code',
        text: 'The program is for one area. Go back and enter the postal code.',
      };
    case 'business-has-one':
      return {
        title: 'This business already has a seat',
        text: 'Someone else in the business took it. Its sessions are for all of you.',
      };
    case 'consent-changed':
      return {
        title: 'The text you agree to has changed',
        text: 'Go back and read it again. Nothing has been agreed to yet.',
      };
    default:
      return { title: 'No seat was taken', text: 'Go back and try again.' };
  }
}

import { type Language, sayer } from '#domain/language.ts';
import { firstLook, previewTools } from './entries.ts';
import { FIRST_LOOK, translationsOf } from './translations.ts';
import { textsIn } from './words.ts';

/** What the page of the first look shows in a language: its title, questions, tools and words. */
export async function firstLookIn(language: Language) {
  const version = await firstLook(language);
  const words = textsIn(language, ['shared', 'charts', 'quiz', 'tools']);
  const say = sayer(words);
  return {
    title: say('A first look at your business skills'),
    description: say(
      'Eight questions, four minutes, no account. You’ll get a sketch of eight skills and one thing to do this month.',
    ),
    translations: await translationsOf(FIRST_LOOK),
    /** For the quiz. */
    quiz: { version, tools: await previewTools(version.questions), words },
    /** For the screen before it. */
    intro: { questions: version.questions.length, areas: version.areas.length, words },
  };
}

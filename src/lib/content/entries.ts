import {
  type CollectionEntry,
  type CollectionKey,
  getCollection,
  getEntry,
  render,
} from 'astro:content';
import { DEFAULT_LANGUAGE, type Language } from '#domain/language.ts';
import { PRACTICES, practiceTroubles } from '#domain/practice.ts';
import type { PreviewTool } from '#domain/tool.ts';
import { areasIn, questionsIn } from './words.ts';

/** Loads one entry of a collection. A missing one throws an error that fails the build. */
export async function words<C extends CollectionKey>(
  collection: C,
  id: string,
): Promise<CollectionEntry<C>> {
  const entry = await getEntry<C, string>(collection, id);
  if (!entry) throw new Error(`There are no words called ${id} in content, ${collection}.`);
  return entry as CollectionEntry<C>;
}

/** Loads a page of `content/standing`: its data and its rendered content. */
export async function standing(slug: string) {
  const entry = await words('standing', slug);
  return { ...entry.data, ...(await render(entry)) };
}

/** The skill areas, sorted by position. */
export async function skillAreas(language: Language = DEFAULT_LANGUAGE) {
  const areas = (await getCollection('areas')).map(({ data }) => data);
  return areasIn(
    language,
    areas.toSorted((a, b) => a.position - b.position),
  );
}

/** The newest version of the quiz. Throws if there is none. */
export async function newestQuiz(language: Language = DEFAULT_LANGUAGE) {
  const versions = (await getCollection('quiz')).map(({ data }) => data);
  const newest = versions.toSorted((a, b) => b.number - a.number)[0];
  if (!newest) throw new Error('There is no version of the quiz in content/quiz.');
  return { ...newest, questions: questionsIn(language, newest.number, newest.questions) };
}

/** Says what a scene of the home page shows, for another page that has it. Throws if there's no such scene. */
export async function sceneAlts(): Promise<(scene: string) => string> {
  const { steps, coaching, organizations } = (await words('home', 'home')).data;
  const shown = [...steps.items, coaching, organizations];
  return (scene) => {
    const alt = shown.find((each) => each.scene === scene)?.alt;
    if (!alt) throw new Error(`The home page has no scene called ${scene}.`);
    return alt;
  };
}

/** The coaches that the home page introduces. */
export const coaches = async () => (await words('home', 'home')).data.coaching.coaches;

/** One of them, by the name of their portrait. Throws if nobody has it, which fails the build. */
export async function coachOf(portrait: string) {
  const coach = (await coaches()).find((each) => each.portrait === portrait);
  if (!coach) throw new Error(`No coach in content/home.yaml has the portrait ${portrait}.`);
  return coach;
}

/** The case studies with their areas: first the one that's named for each area, then the others. */
export async function caseStudies() {
  const cases = await getCollection('case-studies');
  const areas = await skillAreas();
  const of = (belongs: (id: string, key: string) => boolean) =>
    areas.flatMap((area) =>
      cases
        .filter(({ id, data }) => data.area === area.key && belongs(id, area.key))
        .map((entry) => ({ entry, area })),
    );
  return [...of((id, key) => id === key), ...of((id, key) => id !== key)];
}

/**
 * The tools by area, in the order of their practices. Throws if a practice has none or two, which
 * fails the build.
 */
export async function toolsByArea() {
  const entries = await getCollection('toolbox');
  const troubles = practiceTroubles(entries.map(({ data }) => data));
  if (troubles.length > 0) throw new Error(`The toolbox: ${troubles.join(' ')}`);
  const place = ({ data }: CollectionEntry<'toolbox'>) => PRACTICES.indexOf(data.practice);
  const inOrder = entries.toSorted((a, b) => place(a) - place(b));
  return (await skillAreas()).map((area) => ({
    area,
    tools: inOrder.filter(({ data }) => data.area === area.key),
  }));
}

/** The figures that a calculator shows first: those of a tool in `content/` that has it. */
export async function calculatorExample(calculator: string) {
  const tools = await getCollection('toolbox');
  return tools.find(({ data }) => data.calculator === calculator)?.data.example;
}

/** The tools for these questions, for the preview of a result in the browser. */
export async function previewTools(questions: readonly { key: string }[]): Promise<PreviewTool[]> {
  const asked = new Set(questions.map(({ key }) => key));
  return (await getCollection('toolbox'))
    .filter(({ data }) => asked.has(data.practice))
    .map(({ data: { slug, title, type, area, practice, levels, minutes } }) => {
      return { slug, title, type, area_key: area, practice, levels, minutes };
    });
}

/** The newest quiz with only its first-look questions, in the shape that the database returns. */
export async function firstLook(language: Language = DEFAULT_LANGUAGE) {
  const { id, number, title, areas, questions } = await newestQuiz(language);
  const importance = new Map(areas.map((area) => [area.key, area.importance]));
  return {
    id,
    number,
    title,
    areas: (await skillAreas(language)).map(({ key, name, short_name, position }) => {
      // A first look has one question per area, so it doesn't ask whether to skip them.
      return { key, name, short_name, position, importance: importance.get(key) ?? 1, skip: null };
    }),
    questions: questions.flatMap((question, index) => {
      if (!question.first_look) return [];
      const { key, area, practice, text, help, anchors, weight, action } = question;
      return [
        {
          key,
          area_key: area,
          practice,
          position: index + 1,
          text,
          help: help ?? null,
          anchors: anchors as [string, string, string, string, string],
          weight,
          action,
          first_look: true,
        },
      ];
    }),
  };
}

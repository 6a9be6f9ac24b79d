/** The content of each prerendered page as data for programs: its `_payload.json`. */

import { type CollectionEntry, getCollection } from 'astro:content';
import { type Language, sayer, TRANSLATIONS } from '#domain/language.ts';
import { PLAN_FIELDS, PLAN_LABELS } from '#domain/plan.ts';
import { addressIn } from '../routing/languages.ts';
import { match } from '../routing/routes.ts';
import { firstLook, words } from './entries.ts';
import { bodyOf } from './entry-body.ts';
import { pagedCollections, pathOf, plainWords } from './feeds.ts';
import { byTag, newestFirst, PER_TAG, pagesOf, tagPageWords, tagWords } from './publishing.ts';
import { site } from './site.ts';
import { FIRST_LOOK, homeIn, translatedPages } from './translations.ts';
import { siteIn, textsIn } from './words.ts';

/** One page. `data` holds its title and other fields. */
export interface PageData {
  path: string;
  collection: string;
  id: string;
  data: { title: string };
  headings: { depth: number; text: string }[];
  words: string;
}

/** Every text in a value, in order. Single words (keys, ids, URLs) are left out. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return /\s/.test(value.trim()) ? [value.trim()] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** A page without its own text in `content/`, rendered from other data. */
const renderedFrom = (
  path: string,
  collection: string,
  id: string,
  data: PageData['data'] & Record<string, unknown>,
) => ({
  path,
  collection,
  id,
  data,
  headings: [],
  words: textsOf(data).join(' '),
});

/** Pages of the collections that have one page per entry. */
async function entryPages(): Promise<PageData[]> {
  const lists = await Promise.all(
    pagedCollections.map(async (collection) => {
      const entries = await getCollection(collection);
      return Promise.all(
        entries.map(async (entry) => ({
          collection,
          id: entry.id,
          path: pathOf(collection, entry.id),
          data: entry.data,
          ...plainWords(await bodyOf(entry), site),
        })),
      );
    }),
  );
  return lists.flat();
}

const listed = (articles: readonly CollectionEntry<'blog'>[]) =>
  articles.map(({ id, data: { title, description } }) => ({
    path: pathOf('blog', id),
    title,
    description,
  }));

/** Article lists: page 2 and up, and one list per tag. */
async function articleLists(): Promise<PageData[]> {
  const articles = newestFirst(await getCollection('blog'));
  const { title } = (await words('standing', 'blog')).data;
  return [
    ...pagesOf(articles)
      .map((list, index) => ({ list, page: index + 1 }))
      .slice(1)
      .map(({ list, page }) =>
        renderedFrom(`/blog/page/${page}`, 'blog', `page/${page}`, {
          title: `${title}, page ${page}`,
          articles: listed(list),
        }),
      ),
    ...[...byTag(articles)].map(([tag, list]) =>
      renderedFrom(`/blog/tags/${tag}`, 'blog', `tags/${tag}`, {
        ...tagPageWords(tag, list.length),
        tag: tagWords(tag),
        articles: listed(list.slice(0, PER_TAG)),
      }),
    ),
  ];
}

/** Pages rendered from data alone: home, survey and first look. */
async function dataPages(): Promise<PageData[]> {
  const home = await words('home', 'home');
  const { public_link: _, ...survey } = (await words('survey', 'survey')).data;
  const quiz = await firstLook();
  return [
    renderedFrom('/', 'home', 'home', { title: site.tagline, ...home.data }),
    renderedFrom('/engagement-survey', 'survey', survey.id, survey),
    renderedFrom(FIRST_LOOK, 'quiz', quiz.id, {
      ...quiz,
      title: match(FIRST_LOOK)?.route.title ?? quiz.title,
    }),
  ];
}

const PLAN_BLANK = '/admin/one-page-business-plan-template';

/** The page data of the first look in a language. */
async function firstLookData(language: Language): Promise<PageData> {
  const quiz = await firstLook(language);
  const title = sayer(textsIn(language, ['quiz']))('A first look at your business skills');
  return renderedFrom(addressIn(language, FIRST_LOOK), 'quiz', `${language}/${quiz.id}`, {
    ...quiz,
    title,
  });
}

/** Pages in other languages: home, first look and guides. */
async function translatedData(): Promise<PageData[]> {
  const guides = (await translatedPages()).map(async ({ entry, language, slug }) => ({
    collection: 'pages',
    id: entry.id,
    path: addressIn(language, `/pages/${slug}`),
    data: entry.data,
    ...plainWords(await bodyOf(entry), site),
  }));
  const homes = TRANSLATIONS.map(async (language) =>
    renderedFrom(addressIn(language, '/'), 'home', `${language}/home`, {
      title: siteIn(language).tagline,
      ...(await homeIn(language)),
    }),
  );
  const looks = TRANSLATIONS.map(firstLookData);
  return Promise.all([...guides, ...homes, ...looks]);
}

/** Adds the boxes of the blank business plan to its page data. */
function withBoxes(page: PageData): PageData {
  if (page.path !== PLAN_BLANK) return page;
  const boxes = PLAN_FIELDS.map((field) => ({ field, ...PLAN_LABELS[field] }));
  return {
    ...page,
    data: Object.assign({}, page.data, { boxes }),
    words: textsOf(boxes).join(' '),
  };
}

/** Every prerendered page except redirects. */
export async function pageData(): Promise<PageData[]> {
  const parts = await Promise.all([entryPages(), articleLists(), dataPages(), translatedData()]);
  return parts.flat().map(withBoxes);
}

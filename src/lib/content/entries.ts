import {
  type CollectionEntry,
  type CollectionKey,
  getCollection,
  getEntry,
  render,
} from 'astro:content';

/** One entry of a collection; throws with the name of what is missing, which stops the build. */
export async function words<C extends CollectionKey>(
  collection: C,
  id: string,
): Promise<CollectionEntry<C>> {
  const entry = await getEntry<C, string>(collection, id);
  if (!entry) throw new Error(`There are no words called ${id} in content, ${collection}.`);
  return entry as CollectionEntry<C>;
}

/** A page of `content/standing`: what it is called, and its words to draw. */
export async function standing(slug: string) {
  const entry = await words('standing', slug);
  return { ...entry.data, ...(await render(entry)) };
}

/** The case studies, each with its area, in the order of the areas. */
export async function caseStudies() {
  const cases = await getCollection('case-studies');
  const areas = (await getCollection('areas')).map(({ data }) => data);
  return areas
    .toSorted((a, b) => a.position - b.position)
    .flatMap((area) =>
      cases.filter(({ data }) => data.area === area.key).map((entry) => ({ entry, area })),
    );
}

/**
 * The search of /search: asks the index, draws what was found and keeps the address in step, so that
 * a search can be shared, and Back leads to the one before. Loaded when the search is used.
 */
import { type Found, find } from './pagefind.ts';
import { type Asked, addressOf, readAddress, STEP } from './search-address.ts';

/** So long after the last letter the search begins. */
const PAUSE = 200;
/** A search that is faster says nothing of itself. */
const SLOW = 400;

const part = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;

/** Starts it on the page: takes over the form, and searches for what the address asks. */
export function start(): void {
  const form = part<HTMLFormElement>('search');
  const field = part<HTMLInputElement>('q');
  const status = part('search-status');
  const kinds = part<HTMLFieldSetElement>('search-kinds');
  const boxes = [...kinds.querySelectorAll('input')];
  const list = part('search-results');
  const more = part<HTMLButtonElement>('search-more');
  const none = part('search-none');
  const failed = part('search-failed');
  const browse = part('search-browse');
  const template = part<HTMLTemplateElement>('search-result');
  const title = document.title;

  /** Only the newest search may draw. */
  let newest = 0;
  /** Letters of one question are one step of the history. */
  let typing = false;
  let pause = 0;
  let shown = STEP;

  const asked = (): Asked => ({
    q: field.value.trim(),
    kinds: boxes.filter(({ checked }) => checked).map(({ value }) => value),
    shown,
  });

  function keepAddress(step: boolean): void {
    const address = addressOf(asked());
    if (address === location.pathname.replace(/(.)\/$/, '$1') + location.search) return;
    if (step) history.pushState(null, '', address);
    else history.replaceState(null, '', address);
  }

  function fillIn({ q, kinds: chosen, shown: many }: Asked): void {
    field.value = q;
    for (const box of boxes) box.checked = chosen.includes(box.value);
    shown = many;
  }

  /** One page that was found, with its title, kind and the words around what was looked for. */
  function drawn({ url, meta, filters, excerpt, sub_results }: Found): Node {
    const item = template.content.cloneNode(true) as DocumentFragment;
    const place = (name: string) => item.querySelector<HTMLElement>(`[data-${name}]`);
    const link = item.querySelector('a');
    if (link) {
      link.href = url;
      link.textContent = meta.title ?? url;
    }
    const kind = place('kind');
    if (kind) kind.textContent = filters.kind?.[0] ?? '';
    const text = new DOMParser().parseFromString(excerpt, 'text/html').body;
    for (const node of text.childNodes) {
      const marked = node.nodeName === 'MARK';
      const made = document.createElement(marked ? 'mark' : 'span');
      made.textContent = node.textContent;
      place('excerpt')?.append(marked ? made : (node.textContent ?? ''));
    }
    const sections = sub_results.filter((each) => each.url.includes('#')).slice(0, 3);
    const places = place('sections');
    if (places && sections.length > 0) {
      places.hidden = false;
      for (const section of sections) {
        const entry = places.querySelector('template')?.content.cloneNode(true) as DocumentFragment;
        const way = entry.querySelector('a');
        if (way) {
          way.href = section.url;
          way.textContent = section.title;
        }
        places.append(entry);
      }
    }
    return item;
  }

  /** Shows which parts of the page there are now. */
  function arrange(parts: {
    list?: boolean;
    kinds?: boolean;
    none?: boolean;
    failed?: boolean;
  }): void {
    list.hidden = !parts.list;
    kinds.hidden = !parts.kinds;
    none.hidden = !parts.none;
    failed.hidden = !parts.failed;
    browse.hidden = parts.list === true;
    if (!parts.list) more.hidden = true;
    list.removeAttribute('aria-busy');
  }

  function count(counts: Record<string, number>): void {
    for (const box of boxes) {
      const many = counts[box.value] ?? 0;
      const label = box.closest('label');
      if (!label) continue;
      label.hidden = many === 0 && !box.checked;
      const figure = label.querySelector('[data-count]');
      if (figure) figure.textContent = String(many);
    }
  }

  /**
   * Searches for what stands in the form.
   * @param from the number of results that stay where they are; the focus goes to the next one
   */
  async function search(from = 0): Promise<void> {
    const mine = ++newest;
    const { q, kinds: chosen } = asked();
    document.title = q ? `${q} · ${title}` : title;
    if (q === '') {
      status.textContent = '';
      arrange({});
      list.replaceChildren();
      return;
    }
    const slow = window.setTimeout(() => {
      if (mine !== newest) return;
      status.textContent = 'Searching …';
      list.setAttribute('aria-busy', 'true');
    }, SLOW);
    try {
      const { results, counts } = await find(q, chosen);
      const pages = await Promise.all(results.slice(from, shown).map((each) => each.data()));
      if (mine !== newest) return;
      const items = pages.map(drawn);
      if (from === 0) list.replaceChildren(...items);
      else {
        list.append(...items);
        list.children[from]?.querySelector('a')?.focus();
      }
      const all = results.length;
      const seen = Math.min(shown, all);
      more.hidden = seen === all;
      count(counts);
      status.textContent = sentence(q, all, chosen.length > 0 ? sum(counts) : all, seen);
      arrange({ list: all > 0, kinds: sum(counts) > 0, none: all === 0 });
    } catch {
      if (mine !== newest) return;
      status.textContent = '';
      arrange({ failed: true });
    } finally {
      window.clearTimeout(slow);
    }
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    window.clearTimeout(pause);
    keepAddress(!typing);
    typing = false;
    void search();
  });
  field.addEventListener('input', () => {
    window.clearTimeout(pause);
    shown = STEP;
    pause = window.setTimeout(() => {
      keepAddress(!typing);
      typing = true;
      void search();
    }, PAUSE);
  });
  field.addEventListener('change', () => {
    typing = false;
  });
  kinds.addEventListener('change', () => {
    window.clearTimeout(pause);
    typing = false;
    shown = STEP;
    keepAddress(true);
    void search();
  });
  more.addEventListener('click', () => {
    const from = list.children.length;
    shown = from + STEP;
    keepAddress(false);
    void search(from);
  });
  window.addEventListener('popstate', () => {
    window.clearTimeout(pause);
    typing = false;
    fillIn(readAddress(location.search));
    void search();
  });

  const given = readAddress(location.search);
  // What was typed while this was on its way stays.
  fillIn({ ...given, q: field.value.trim() || given.q });
  void search();
}

/** How many pages were found, as it is announced. */
function sentence(q: string, found: number, ofAnyKind: number, seen: number): string {
  const have = `${found === 1 ? '1 page' : `${found || 'No'} pages`}${
    ofAnyKind === found ? '' : ' of the chosen kinds'
  } ${found === 1 ? 'has' : 'have'} “${q}”`;
  const others =
    ofAnyKind === found ? '' : `; ${ofAnyKind} of any kind ${ofAnyKind === 1 ? 'does' : 'do'}`;
  return `${have}${others}.${seen < found ? ` The first ${seen} are shown.` : ''}`;
}

const sum = (counts: Record<string, number>) =>
  Object.values(counts).reduce((all, each) => all + each, 0);

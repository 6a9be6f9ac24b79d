/**
 * The search on /search: queries the index, shows the results and keeps the URL in sync, so that
 * users can share a search and go back to the previous one. Loaded on first use.
 */
import { find } from './pagefind.ts';
import { renderResult, summarize } from './result-item.ts';
import { addressOf, readAddress, type SearchQuery, STEP } from './search-address.ts';

/** Milliseconds between the last keystroke and the search. */
const PAUSE = 200;
/** Milliseconds until a slow search shows that it's in progress. */
const SLOW = 400;

const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const sum = (counts: Record<string, number>) =>
  Object.values(counts).reduce((all, each) => all + each, 0);

class SearchPage {
  readonly #form = element<HTMLFormElement>('search');
  readonly #field = element<HTMLInputElement>('q');
  readonly #status = element('search-status');
  readonly #kinds = element<HTMLFieldSetElement>('search-kinds');
  readonly #boxes = [...this.#kinds.querySelectorAll('input')];
  readonly #list = element('search-results');
  readonly #more = element<HTMLButtonElement>('search-more');
  readonly #template = element<HTMLTemplateElement>('search-result');
  readonly #title = document.title;
  /** The number of the newest search; older ones may not render. */
  #newest = 0;
  /** Whether the user is still typing, since consecutive keystrokes make one history entry. */
  #isTyping = false;
  #pause = 0;
  #shown = STEP;

  start(): void {
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#begin({ newStep: !this.#isTyping });
    });
    this.#field.addEventListener('input', () => {
      window.clearTimeout(this.#pause);
      this.#shown = STEP;
      this.#pause = window.setTimeout(() => {
        this.#begin({ newStep: !this.#isTyping });
        this.#isTyping = true;
      }, PAUSE);
    });
    this.#field.addEventListener('change', () => {
      this.#isTyping = false;
    });
    this.#kinds.addEventListener('change', () => {
      this.#shown = STEP;
      this.#begin({ newStep: true });
    });
    this.#more.addEventListener('click', () => {
      const from = this.#list.children.length;
      this.#shown = from + STEP;
      this.#saveAddress(false);
      void this.#search(from);
    });
    window.addEventListener('popstate', () => {
      this.#fillIn(readAddress(location.search));
      this.#begin(null);
    });
    const query = readAddress(location.search);
    // Keeps what the user typed while this was loading.
    this.#fillIn({ ...query, q: this.#field.value.trim() || query.q });
    void this.#search();
  }

  /** Searches right away; null leaves the URL unchanged. */
  #begin(address: { newStep: boolean } | null): void {
    window.clearTimeout(this.#pause);
    if (address) this.#saveAddress(address.newStep);
    this.#isTyping = false;
    void this.#search();
  }

  #query(): SearchQuery {
    return {
      q: this.#field.value.trim(),
      kinds: this.#boxes.filter(({ checked }) => checked).map(({ value }) => value),
      shown: this.#shown,
    };
  }

  #saveAddress(newStep: boolean): void {
    const address = addressOf(this.#query());
    if (address === location.pathname.replace(/(.)\/$/, '$1') + location.search) return;
    if (newStep) history.pushState(null, '', address);
    else history.replaceState(null, '', address);
  }

  #fillIn({ q, kinds, shown }: SearchQuery): void {
    this.#field.value = q;
    for (const box of this.#boxes) box.checked = kinds.includes(box.value);
    this.#shown = shown;
  }

  /** Shows the named parts of the page and hides the others. */
  #showParts(names: readonly ('results' | 'kinds' | 'none' | 'failed')[]): void {
    for (const name of ['results', 'kinds', 'none', 'failed'] as const) {
      element(`search-${name}`).hidden = !names.includes(name);
    }
    const hasResults = names.includes('results');
    element('search-browse').hidden = hasResults;
    if (!hasResults) this.#more.hidden = true;
    this.#list.removeAttribute('aria-busy');
  }

  #showCounts(counts: Record<string, number>): void {
    for (const box of this.#boxes) {
      const count = counts[box.value] ?? 0;
      const label = box.closest('label');
      if (!label) continue;
      label.hidden = count === 0 && !box.checked;
      const figure = label.querySelector('[data-count]');
      if (figure) figure.textContent = String(count);
    }
  }

  /**
   * Runs the search in the form.
   * @param from the number of results to keep; focus moves to the first new one
   */
  async #search(from = 0): Promise<void> {
    const mine = ++this.#newest;
    const isOutdated = () => mine !== this.#newest;
    const query = this.#query();
    document.title = query.q ? `${query.q} · ${this.#title}` : this.#title;
    if (query.q === '') {
      this.#status.textContent = '';
      this.#showParts([]);
      this.#list.replaceChildren();
      return;
    }
    const slow = window.setTimeout(() => {
      if (isOutdated()) return;
      this.#status.textContent = 'Searching…';
      this.#list.setAttribute('aria-busy', 'true');
    }, SLOW);
    try {
      await this.#showResults(query, from, isOutdated);
    } catch {
      if (isOutdated()) return;
      this.#status.textContent = '';
      this.#showParts(['failed']);
    } finally {
      window.clearTimeout(slow);
    }
  }

  async #showResults(
    { q, kinds, shown }: SearchQuery,
    from: number,
    isOutdated: () => boolean,
  ): Promise<void> {
    const { results, counts } = await find(q, kinds);
    const pages = await Promise.all(results.slice(from, shown).map((each) => each.data()));
    if (isOutdated()) return;
    const items = pages.map((page) => renderResult(this.#template, page));
    if (from === 0) this.#list.replaceChildren(...items);
    else {
      this.#list.append(...items);
      this.#list.children[from]?.querySelector('a')?.focus();
    }
    const found = results.length;
    const ofAnyKind = sum(counts);
    const seen = Math.min(shown, found);
    this.#more.hidden = seen === found;
    this.#showCounts(counts);
    this.#status.textContent = summarize(q, found, kinds.length > 0 ? ofAnyKind : found, seen);
    const shownKinds = ofAnyKind > 0 ? (['kinds'] as const) : [];
    this.#showParts([found > 0 ? 'results' : 'none', ...shownKinds]);
  }
}

/** Takes over the page's search form, and runs the search in the URL. */
export const startSearch = (): void => new SearchPage().start();

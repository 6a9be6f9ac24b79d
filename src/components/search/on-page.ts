/**
 * The first script of /search. It loads the search itself once its field gets focus, or right away
 * if the URL has a query. Until then, submitting the form opens such a URL.
 */
const form = document.forms.namedItem('search');

function load(): void {
  import('./search-page.ts')
    .then(({ startSearch }) => startSearch())
    .catch(() => {
      // "Try again" submits the form, which reloads the page with what the user typed.
      for (const each of document.querySelectorAll<HTMLElement>('#search-failed'))
        each.hidden = false;
    });
}

const q = new URLSearchParams(location.search).get('q');
if (form && q) {
  (form.elements.namedItem('q') as HTMLInputElement).value = q;
  load();
} else form?.addEventListener('focusin', load, { once: true });

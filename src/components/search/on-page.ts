/**
 * What /search loads at first: the search itself is loaded when its field gets the focus, or with an
 * address that has a query in it. Until then, sending the form opens such an address.
 */
const form = document.forms.namedItem('search');

function load(): void {
  import('./search-page.ts')
    .then(({ startSearch }) => startSearch())
    .catch(() => {
      // "Try again" sends the form, which opens the page again with what was typed.
      for (const each of document.querySelectorAll<HTMLElement>('#search-failed'))
        each.hidden = false;
    });
}

const q = new URLSearchParams(location.search).get('q');
if (form && q) {
  (form.elements.namedItem('q') as HTMLInputElement).value = q;
  load();
} else form?.addEventListener('focusin', load, { once: true });

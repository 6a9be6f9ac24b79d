/**
 * What /search loads at first: the search itself comes when somebody goes into its field, or with an
 * address that has a question in it. Until it is there, the form asks for just such an address.
 */
const form = document.forms.namedItem('search');

function load(): void {
  import('./searching.ts')
    .then(({ start }) => start())
    .catch(() => {
      // "Try again" sends the form, which opens the page anew with what was typed.
      for (const each of document.querySelectorAll<HTMLElement>('#search-failed'))
        each.hidden = false;
    });
}

const q = new URLSearchParams(location.search).get('q');
if (form && q) {
  (form.elements.namedItem('q') as HTMLInputElement).value = q;
  load();
} else form?.addEventListener('focusin', load, { once: true });

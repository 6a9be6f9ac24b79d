/**
 * What a script adds to a form on a reading page, which also works without it: the draft stays in
 * this browser until we've received it, errors show next to their fields, and a failure loses
 * nothing. The schema and the sending code are loaded when the form is sent.
 */
import { newId } from '#lib/new-id.ts';

const form = document.querySelector<HTMLFormElement>('form[data-form]');

/** The fields a person fills in, which are kept. */
const kept = (given: HTMLFormElement) =>
  [...given.elements].filter(
    (each): each is HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement =>
      'name' in each && each.name !== '' && each.name !== 'website' && each.localName !== 'button',
  );

function start(given: HTMLFormElement): void {
  const key = `trellis-form:${given.dataset.form}`;
  let draft: Record<string, string | boolean> = {};
  try {
    draft = JSON.parse(localStorage.getItem(key) ?? '{}');
  } catch {
    // No storage, or something else in it: the form is empty.
  }
  for (const field of kept(given)) {
    const value = draft[field.name];
    if (field instanceof HTMLInputElement && field.type === 'checkbox') {
      field.checked ||= value === true;
    } else if (typeof value === 'string' && (field.localName === 'select' || field.value === '')) {
      field.value = value;
    }
  }
  const topic = new URLSearchParams(location.search).get('topic');
  const select = given.elements.namedItem('topic');
  if (select instanceof HTMLSelectElement && topic !== null) {
    if ([...select.options].some(({ value }) => value === topic)) select.value = topic;
  }
  draft.id ??= newId();
  given.addEventListener('input', () => {
    for (const field of kept(given)) {
      draft[field.name] =
        field instanceof HTMLInputElement && field.type === 'checkbox'
          ? field.checked
          : field.value;
    }
    try {
      localStorage.setItem(key, JSON.stringify(draft));
    } catch {
      // Full or denied: it lasts as long as the page.
    }
  });
  given.noValidate = true;
  given.addEventListener('submit', (event) => {
    event.preventDefault();
    void import('./sending.ts')
      .then(({ send }) => send(given, String(draft.id)))
      .then((done) => {
        if (!done) return;
        try {
          localStorage.removeItem(key);
        } catch {
          // Nothing was kept.
        }
        location.assign(done);
      })
      .catch(() => {
        const status = given.querySelector('[role="status"]');
        if (status) status.textContent = 'Not sent: part of the page didn’t load. Try again.';
      });
  });
}

if (form) start(form);

/**
 * Enhances a form on a reading page, which also works without JavaScript: it keeps the draft in
 * this browser until we've received it, and shows errors next to their fields. It loads the schema
 * and the sending code when the user submits the form.
 */
import { newId } from '#lib/new-id.ts';

const form = document.querySelector<HTMLFormElement>('form[data-form]');

/** The fields that belong to the draft: all except the honeypot and buttons. */
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
    // Without storage or with invalid data in it, the form starts empty.
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
      // Storage is full or blocked: the draft lasts as long as the page.
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
          // Storage is blocked, so nothing was kept.
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

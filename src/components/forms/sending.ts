/** Validates a form with its function's schema and sends it. Loaded on the first submit. */

import * as v from 'valibot';
import { http } from '#lib/http.ts';
import { contactMessage, newsletterRequest } from '#lib/schemas/contact.ts';
import { problemsOf } from '#lib/schemas/fields.ts';

const FORMS = {
  contact: { schema: contactMessage, thanks: '/contact/thanks' },
  newsletter: { schema: newsletterRequest, thanks: '/newsletter/almost' },
};

/** Shows each error next to its field, and focuses the first field that has one. */
function show(form: HTMLFormElement, errors: Record<string, string>): void {
  let first: HTMLElement | null = null;
  for (const place of form.querySelectorAll<HTMLElement>('.error')) {
    const name = place.id.replace(/-error$/, '');
    const field = form.elements.namedItem(name);
    const sentence = errors[name] ?? '';
    place.textContent = sentence;
    place.hidden = sentence === '';
    if (!(field instanceof HTMLElement)) continue;
    if (sentence) {
      field.setAttribute('aria-invalid', 'true');
      first ??= field;
    } else field.removeAttribute('aria-invalid');
  }
  first?.focus();
  say(form, errors[''] ?? '');
}

function say(form: HTMLFormElement, sentence: string): void {
  const status = form.querySelector('[role="status"]');
  if (status) status.textContent = sentence;
}

/**
 * Validates and sends the form.
 * @param id created once per draft, so that sending it twice stores it once
 * @returns the URL of the next page, or null if something needs fixing or another try
 */
export async function send(form: HTMLFormElement, id: string): Promise<string | null> {
  const { schema, thanks } = FORMS[form.dataset.form as keyof typeof FORMS];
  const fields = Object.fromEntries(new FormData(form));
  const read = v.safeParse(schema, { ...fields, id, newsletter: fields.newsletter === 'on' });
  if (!read.success) {
    show(form, problemsOf(read.issues));
    return null;
  }
  show(form, {});
  const button = form.querySelector('button');
  if (button?.getAttribute('aria-busy')) return null;
  button?.setAttribute('aria-busy', 'true');
  say(form, 'Sending…');
  try {
    await http(form.action, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: { ...fields, ...read.output },
    });
    return thanks;
  } catch (thrown) {
    const errors = (thrown as { data?: { errors?: Record<string, string> } }).data?.errors;
    show(
      form,
      errors ?? {
        '': 'We couldn’t reach the server, so this wasn’t sent. What you typed is saved in this browser. Try again.',
      },
    );
    return null;
  } finally {
    button?.removeAttribute('aria-busy');
  }
}

/** Markup that's safe as is. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}

type Value = string | number | Html | null | readonly (string | Html)[];

/** Markup from a template: values are escaped unless they're markup already; null adds nothing. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  const parts = strings.map(
    (text, index) => text + (index < values.length ? show(values[index]) : ''),
  );
  return new Html(parts.join(''));
}

function show(value: Value | undefined): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Html) return value.markup;
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return value.map(show).join('');
}

/** Makes calculators on prerendered pages interactive. Their HTML has one precomputed result. */
import { type CalculatorKind, calculators, readField } from './definitions.ts';

/** Typing is debounced, so that screen readers don't announce intermediate results. */
const PAUSE_MS = 350;

/** Shows the result for the current values. Returns the first invalid field, if any. */
function update(form: HTMLFormElement): HTMLInputElement | undefined {
  const { fields, answer } = calculators[form.dataset.calculator as CalculatorKind];
  const values: Record<string, number> = {};
  let wrong: { input: HTMLInputElement; label: string } | undefined;
  for (const { name, label, unit } of fields) {
    const input = form.elements.namedItem(name) as HTMLInputElement;
    const error = form.querySelector<HTMLElement>(`#${input.id}-error`);
    const read = readField(input.value, unit);
    const sentence = typeof read === 'string' ? read : '';
    if (typeof read === 'number') values[name] = read;
    else wrong ??= { input, label };
    if (error) {
      error.textContent = sentence;
      error.hidden = sentence === '';
    }
    if (sentence) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
  }
  const output = form.querySelector('output');
  if (!output || wrong) {
    if (output && wrong) {
      output.textContent = `Fix “${wrong.label}” to see the answer.`;
    }
    return wrong?.input;
  }
  const { headline, lines } = answer(values);
  const strong = document.createElement('b');
  strong.textContent = headline;
  const rest = lines.map((line) => {
    const span = document.createElement('span');
    span.textContent = line;
    return span;
  });
  output.replaceChildren(strong, ...rest);
  return undefined;
}

/** Starts every calculator on the page with its current values: the user may have typed already. */
export function start(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-calculator]')) {
    let timer = 0;
    form.addEventListener('input', () => {
      clearTimeout(timer);
      timer = window.setTimeout(update, PAUSE_MS, form);
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      clearTimeout(timer);
      update(form)?.focus();
    });
    update(form);
  }
}

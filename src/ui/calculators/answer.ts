import {
  type Answer,
  type CalculatorField,
  type CalculatorKind,
  calculators,
  readField,
} from './definitions.ts';

/** A field with what's typed into it, and its value or what's wrong with it. */
export interface TypedField {
  field: CalculatorField;
  text: string;
  isBlank: boolean;
  value: number | string;
}

/** The fields of a calculator with what's typed into them. */
export const typedFields = (kind: CalculatorKind, typed: Record<string, string>): TypedField[] =>
  calculators[kind].fields.map((field) => {
    const text = typed[field.name] ?? '';
    return { field, text, isBlank: text.trim() === '', value: readField(text, field.unit) };
  });

/** The result; null while a field is blank or can't be read. */
export function answerOf(kind: CalculatorKind, fields: readonly TypedField[]): Answer | null {
  if (fields.some(({ value }) => typeof value === 'string')) return null;
  const values = fields.map(({ field, value }) => [field.name, Number(value)]);
  return calculators[kind].answer(Object.fromEntries(values));
}

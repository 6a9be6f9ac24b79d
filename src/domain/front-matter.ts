/** `---`, fields as YAML, `---`, and the text. */
const FRONT_MATTER = /^---\r?\n(.*?)\r?\n---\r?\n(.*)$/s;

/** The front matter of a Markdown file, as YAML, and the text after it; null if it has none. */
export function splitFrontMatter(file: string): { yaml: string; body: string } | null {
  const [, yaml, body] = FRONT_MATTER.exec(file) ?? [];
  return yaml === undefined ? null : { yaml, body: body ?? '' };
}

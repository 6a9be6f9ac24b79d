const REFERENCES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Text as it's written in HTML, as content or as an attribute's value in double quotes. */
export const htmlText = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => REFERENCES[character] ?? character);

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawMail } from '#backend/supabase/functions/_shared/mail/layout.ts';
import { brand } from './outbox.ts';

/** An email with this Markdown: the article's part of the HTML, and the text before its footer. */
function draw(article: string) {
  const parts = { subject: 'S', preview: '', heading: 'HEADING', paragraphs: [], why: 'WHY' };
  const { html, text } = drawMail({ ...parts, article }, brand);
  return {
    html: html.split('</h1>')[1]?.split('\n              </td>')[0]?.trim() ?? '',
    whole: html,
    text: text.replace('HEADING\n\n', '').split('\n\n--\n\n')[0],
  };
}
/** HTML without attributes other than addresses. */
const bare = (html: string) => html.replace(/ (?:class|style)="[^"]*"/g, '');

test('Text, lists, quotations and tables are in both forms', () => {
  const { html, text } = draw(
    '## Loaves\n\nA **bold** and *quiet* line.\n\n- one\n- two\n\n3. three\n\n> said\n\n---\n\n| Day | Left |\n|---|---:|\n| Monday | 22 |\n',
  );
  expect(bare(html)).toContain('<h2>Loaves</h2>');
  expect(bare(html)).toContain('<p>A <strong>bold</strong> and <em>quiet</em> line.</p>');
  expect(bare(html)).toMatch(/<ul>\s*<li>one/);
  expect(bare(html)).toContain('<ol start="3">');
  expect(bare(html)).toMatch(/<blockquote><p>said<\/p>/);
  expect(html).toMatch(/text-align:right[^>]*>22/);
  expect(text).toBe(
    'Loaves\n\nA bold and quiet line.\n\n- one\n- two\n\n3. three\n\n> said\n\n* * *\n\nDay | Left\nMonday | 22',
  );
});

test('A link leads to a web page, an email address or a page of ours, and to nothing else', () => {
  const { html, text } = draw(
    '[out](https://example.com/a?b=1&c=2) [mail](mailto:ann@example.com) [ours](/toolbox) ' +
      '[bad](javascript:alert(1)) [worse](data:text/html,x) [file](file:///etc/passwd)',
  );
  expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
    'https://example.com/a?b=1&amp;c=2',
    'mailto:ann@example.com',
    'http://127.0.0.1:4321/toolbox',
  ]);
  expect(text).toBe(
    'out (https://example.com/a?b=1&c=2) mail (mailto:ann@example.com) ours (http://127.0.0.1:4321/toolbox) bad worse file',
  );
});

test('Tags, pictures and scripts stay text', () => {
  const { html } = draw(
    '<script>alert(1)</script>\n\nAn <b onclick="x()">inline</b> tag &lt;i&gt; ![a cat](https://example.com/cat.png)\n\n<img src=x onerror=alert(1)>',
  );
  expect(html).not.toMatch(/<(script|b|img|i)\b/);
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(html).toContain('tag &lt;i&gt; a cat');
});

test('Whatever is written, only what emails may have becomes markup', () => {
  const ALLOWED =
    /^\/?(p|h2|h3|ul|ol|li|blockquote|hr|br|pre|code|strong|em|del|a|table|tr|th|td)$/;
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '&',
      '\n\n',
      '- ',
      '> ',
      '`',
      '](',
      '[',
      '![',
      '|',
      '#',
      '\\',
    ),
    fc.constantFrom('javascript:', '<img src=x>', '<a href="x">', 'https://x.example/"onclick="y'),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const { html } = draw(pieces.join(''));
      for (const [, tag = '', rest = ''] of html.matchAll(/<([^\s>]+)([^>]*)>/g)) {
        expect(tag).toMatch(ALLOWED);
        expect(rest.replace(/"[^"]*"/g, '""')).toMatch(
          /^(?: (?:class|style|href|start|scope|width|cellpadding|cellspacing)="")*$/,
        );
      }
    }),
    { numRuns: 300 },
  );
});

test('Nested too deeply, it fails instead of stopping the process', () => {
  expect(() => draw('>'.repeat(30_000))).toThrow();
});

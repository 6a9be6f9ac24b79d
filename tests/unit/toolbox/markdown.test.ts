import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { Markdown } from '#ui/Markdown.tsx';

const drawn = (text: string) => renderToStaticMarkup(createElement(Markdown, { text }));

describe('Somebody who reads a toolbox item', () => {
  test('sees headings, lists, tables and quotes', () => {
    const html = drawn(
      '## Steps\n\n1. First\n2. Second\n\n> Cash is a fact.\n\n| A | B |\n| - | -: |\n| x | 9 |',
    );
    expect(html).toContain('<h2>Steps</h2>');
    expect(html).toContain('<ol start="1"><li>First</li><li>Second</li></ol>');
    expect(html).toContain('<blockquote><p>Cash is a fact.</p></blockquote>');
    expect(html).toMatch(/<td class="text-right![^"]*">9<\/td>/);
    expect(html).not.toContain('style=');
  });

  test('sees tags as the text that they are', () => {
    const html = drawn('Hello <b onclick="steal()">you</b>\n\n<script>alert(1)</script>\n');
    expect(html).not.toMatch(/<(b|script)\b/);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    '&#106;avascript:alert(1)',
    'data:text/html,hello',
    'vbscript:x',
  ])('cannot press a link to %s', (address) => {
    expect(drawn(`[press](<${address}>)`)).not.toMatch(/href="\s*(java|data|vbs)/i);
  });

  test('can press links to the web, to pages of this site and to a mailbox', () => {
    const html = drawn('[a](https://example.com) [b](/dashboard/skills) [c](mailto:a@b.c)');
    expect(html.match(/<a href="/g)).toHaveLength(3);
  });

  test('reads an ampersand as an ampersand', () => {
    expect(drawn('Research & development, R&amp;D, 1 < 2')).toBe(
      '<div class="prose"><p>Research &amp; development, R&amp;D, 1 &lt; 2</p></div>',
    );
  });
});

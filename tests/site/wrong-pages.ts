/** Pages with one defect each, and images, to test the checks with. */
import sharp from 'sharp';

/** A complete page with some parts replaced. With `{}`, the page is valid. */
export function bad(words: {
  lang?: string;
  title?: string;
  description?: string;
  path?: string;
  image?: string;
  policy?: string;
  body?: string;
}): string {
  const {
    lang = 'en',
    title = 'A title',
    description = 'What it is about.',
    path = '/a',
    image = 'https://site.example/og/a.png',
    policy = "script-src 'self'; style-src 'self'",
    body = '',
  } = words;
  const own = `https://site.example${path}`;
  return [
    `<!DOCTYPE html><html lang="${lang}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="content-security-policy" content="${policy}"><title>${title}</title>`,
    `<meta name="description" content="${description}"><link rel="canonical" href="${own}">`,
    ...Object.entries({
      title: 'A title',
      description: 'What it is about.',
      site_name: 'A site',
      type: 'website',
      url: own,
      image,
    }).map(([name, content]) => `<meta property="og:${name}" content="${content}">`),
    `</head><body><main><h1>A title</h1>${body}</main></body></html>`,
  ].join('');
}

/** A PNG of this size, in pixels. */
export const picture = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: 'green' } })
    .png()
    .toBuffer();

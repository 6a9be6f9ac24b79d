/** Pages and pictures with one thing wrong: what a check must find. */
import sharp from 'sharp';

/** A whole page with some of its words replaced; with none replaced it is right. */
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

/** A picture of this size, as the bytes of a PNG. */
export const picture = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: 'green' } })
    .png()
    .toBuffer();

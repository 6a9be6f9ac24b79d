import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { avatarSrc, IMAGE_WIDTHS, readImageRequest } from '#lib/files/image-request.ts';
import { resize } from '#lib/files/resize.ts';

const path = '0198f0a0-1111-7222-8333-444455556666/0198f0a0-1111-7222-8333-444455557777.webp';
const url = `/storage/v1/object/authenticated/avatars/${path}`;
const asked = (query: Record<string, string>) => readImageRequest(new URLSearchParams(query));

describe('The image route', () => {
  test('gives the widths of the specification and no others', () => {
    expect(IMAGE_WIDTHS).toEqual([
      10, 16, 20, 24, 32, 40, 48, 64, 80, 96, 320, 640, 768, 1024, 1280, 1536, 2048, 2560, 3072,
    ]);
    expect(asked({ url, w: '640', q: '50' })).toEqual({ path, width: 640, quality: 50 });
    expect(asked({ url, w: '320' })).toEqual({ path, width: 320, quality: 100 });
    for (const w of ['', '0', '-320', '321', '17', '1e9', 'NaN', '320.5', '99999']) {
      expect(asked({ url, w }), w).toMatch(/^w:/);
    }
    for (const q of ['0', '101', '1.5', 'best', '-1']) {
      expect(asked({ url, w: '320', q }), q).toMatch(/^q:/);
    }
  });

  test('has no source but our own', () => {
    const others = [
      'https://evil.example/a.png',
      '//evil.example/a.png',
      'file:///etc/passwd',
      '',
      '/storage/v1/object/authenticated/project-files/a/b',
      `${url}/..`,
      `/..${url}`,
      url.replace('avatars', 'avatars/..'),
      `${url}?x`,
      url.toUpperCase(),
      'http://169.254.169.254/latest/meta-data',
    ];
    for (const other of others) expect(asked({ url: other, w: '320' }), other).toMatch(/^url:/);
    fc.assert(fc.property(fc.string(), (any) => typeof asked({ url: any, w: '320' }) === 'string'));
  });

  test('is what an avatar asks for, where there is a picture', () => {
    const src = avatarSrc(path) ?? '';
    const query = new URL(src, 'https://site.example').searchParams;
    expect(readImageRequest(query)).toEqual({ path, width: 96, quality: 80 });
    expect(avatarSrc(null)).toBeNull();
  });
});

describe('A picture in another size', () => {
  const picture = async () => {
    const bytes = await sharp({
      create: { width: 800, height: 400, channels: 3, background: '#a33' },
    })
      .png()
      .toBuffer();
    return new Uint8Array(bytes).buffer;
  };

  test.each([
    ['image/avif,image/webp,*/*', 'image/avif', 'heif'],
    ['image/webp,*/*', 'image/webp', 'webp'],
    ['*/*', 'image/jpeg', 'jpeg'],
  ])('is sent to a reader that takes %s as %s', async (accept, type, format) => {
    const resized = await resize(await picture(), 320, 60, accept);
    expect(resized.type).toBe(type);
    expect(await sharp(resized.body).metadata()).toMatchObject({ format, width: 320, height: 160 });
  });

  test('is never larger than it was', async () => {
    const { body } = await resize(await picture(), 3072, 60, 'image/webp');
    expect((await sharp(body).metadata()).width).toBe(800);
  });

  test('is made of no bytes that are no picture, whatever they are called', async () => {
    const page = new TextEncoder().encode('<script>alert(1)</script>').buffer;
    await expect(resize(page, 320, 80, '*/*')).rejects.toThrow();
    const drawing =
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';
    const bytes = new TextEncoder().encode(drawing).buffer;
    await expect(resize(bytes, 320, 80, '*/*')).rejects.toThrow(/svg/);
  });
});

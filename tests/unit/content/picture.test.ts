import fc from 'fast-check';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { placeholder, sizeOf, widthsOf } from '#lib/files/picture.ts';

const drawn = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'green' } });

test.each(['png', 'jpeg', 'avif'] as const)('A %s says how wide and high it is', async (format) => {
  const size = { width: 300, height: 200, ratio: 1.5 };
  expect(await sizeOf(await drawn(300, 200).toFormat(format).toBuffer())).toEqual(size);
});

test('A photograph that a phone turned has the size that one sees', async () => {
  const turned = await drawn(300, 200).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  expect(await sizeOf(turned)).toMatchObject({ width: 200, height: 300 });
});

test('Half a picture has width, height and ratio zero', async () => {
  const file = await drawn(300, 200).png().toBuffer();
  expect(await sizeOf(file.subarray(0, 20))).toEqual({ width: 0, height: 0, ratio: 0 });
});

test('No bytes make it fail', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      const { width, height, ratio } = await sizeOf(bytes);
      expect(ratio).toBe(height === 0 ? 0 : width / height);
    }),
    { numRuns: 60 },
  );
});

test('A picture is made for each breakpoint at both densities, up to what is shown', () => {
  expect(widthsOf(4000, 640)).toEqual([320, 640, 1280]);
  expect(widthsOf(4000, 1536)).toEqual([320, 640, 768, 1024, 1280, 1536, 2048, 2560, 3072]);
});

test('A picture is never made larger than it is', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5000 }),
      fc.integer({ min: 1, max: 1536 }),
      (own, shown) => {
        const widths = widthsOf(own, shown);
        expect(Math.max(...widths)).toBeLessThanOrEqual(own);
        expect(widths).toEqual([...new Set(widths)].sort((a, b) => a - b));
      },
    ),
  );
});

test('What waits in a picture’s place is ten by ten and weighs less than 300 bytes', async () => {
  const address = await placeholder(await drawn(300, 200).png().toBuffer());
  expect(address).toMatch(/^data:image\/webp;base64,/);
  const bytes = Buffer.from(String(address).split(',')[1] as string, 'base64');
  expect(bytes.length).toBeLessThan(300);
  expect(await sizeOf(bytes)).toEqual({ width: 10, height: 10, ratio: 1 });
});

test('Nothing waits in the place of what is no picture', async () => {
  expect(await placeholder(Buffer.from('not a picture'))).toBeNull();
});

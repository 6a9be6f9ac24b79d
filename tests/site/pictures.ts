/** Checks that every image exists, is valid, has the declared size, and has alternative text. */
import type { HtmlElement } from 'html-validate';
import sharp, { type Metadata } from 'sharp';
import { scenes } from '../photograph/scene-list.ts';
import { all, at, attribute, one, ownPath, type Page, type Site } from './built-site.ts';
import { candidates } from './links.ts';

type Measured = Pick<Metadata, 'format' | 'width' | 'height'>;

/** The pictures that are taken at twice the density, for screens of a higher one. */
const SCENE = new RegExp(`/(${scenes.map(({ name }) => name).join('|')})-(light|dark)\\..*avif$`);

/** Whether a picture has exactly the pixels that it should. Half a pixel of a scene may be cut off. */
function fits(src: string, size: Measured, width: number, height: number): boolean {
  if (!SCENE.test(src)) return size.width === width && size.height === height;
  return Math.round(size.width / 2) === width && Math.round(size.height / 2) === height;
}

const measured = new WeakMap<Site, Map<string, Promise<Measured | null>>>();

/** Reads an image's format and size once, or returns null if the file isn't an image. */
function measure(site: Site, file: string): Promise<Measured | null> {
  const known = measured.get(site) ?? new Map<string, Promise<Measured | null>>();
  measured.set(site, known);
  const size =
    known.get(file) ??
    Promise.resolve()
      .then(() => sharp(site.read(file)).metadata())
      .catch(() => null);
  known.set(file, size);
  return size;
}

const fileOf = (site: Site, page: Page, address: string) =>
  new URL(address, new URL(page.path, site.origin)).pathname;

/** How far an image's aspect ratio may be from the declared one: 2%. */
const SHAPE = 0.02;

const sameShape = (a: number, b: number) => Math.abs(a / b - 1) <= SHAPE;

async function wrongWith(site: Site, page: Page, element: HtmlElement): Promise<string[]> {
  const [src, srcset] = [attribute(element, 'src'), attribute(element, 'srcset')];
  const [width, height] = ['width', 'height'].map((name) => Number(attribute(element, name)));
  const ratio = (width || 0) / (height || 1);
  const wrong: string[] = [];
  if (element.tagName === 'img') {
    if (attribute(element, 'alt') === null) wrong.push('has no alt');
    if (!width || !height) wrong.push('has no width and height');
  }
  if (src && !src.startsWith('data:')) {
    const size = await measure(site, fileOf(site, page, src));
    if (!size) wrong.push(`${src} is no picture`);
    else if (width && height && size.format === 'svg') {
      if (!sameShape(size.width / size.height, ratio)) wrong.push(`${src} has another shape`);
    } else if (width && height && !fits(src, size, width, height)) {
      wrong.push(`${src} is ${size.width}×${size.height}, not ${width}×${height}`);
    }
  }
  for (const { address, size: said } of candidates(srcset ?? '')) {
    const size = await measure(site, fileOf(site, page, address));
    if (!size) wrong.push(`${address} is no picture`);
    else {
      if (said.endsWith('w') && said !== `${size.width}w`) {
        wrong.push(`${address} is ${size.width} wide, not ${said}`);
      }
      if (ratio && height && !sameShape(size.width / size.height, ratio)) {
        wrong.push(`${address} has another shape than ${width}×${height}`);
      }
      const type = attribute(element, 'type');
      const format = size.format === 'heif' ? 'avif' : size.format;
      if (type && type !== `image/${format}`) wrong.push(`${address} is ${format}, not ${type}`);
    }
  }
  return wrong.map((each) => `${at(page, element)} ${each}`);
}

/** Lists what's wrong with the images, SVGs, and icons of a page. */
export async function pictureDefects(site: Site, page: Page): Promise<string[]> {
  const shown = [...all(page, 'img'), ...all(page, 'source[srcset]')];
  const wrong = await Promise.all(shown.map((element) => wrongWith(site, page, element)));
  const drawings = all(page, 'svg')
    .filter(
      (svg) => attribute(svg, 'aria-hidden') !== 'true' && !svg.closest('[aria-hidden="true"]'),
    )
    .filter(
      (svg) =>
        attribute(svg, 'role') !== 'img' ||
        !(attribute(svg, 'aria-label') || attribute(svg, 'aria-labelledby')),
    )
    .map((svg) => `${at(page, svg)} is neither hidden from screen readers nor has a name`);
  const icons = await Promise.all(
    all(page, 'link[rel="icon"][sizes]').map(async (link) => {
      const [href, sizes] = ['href', 'sizes'].map((name) => attribute(link, name) ?? '');
      const size = await measure(site, fileOf(site, page, href ?? ''));
      const has = `${size?.width}x${size?.height}`;
      return has === sizes ? [] : [`${at(page, link)} ${href} is ${has}, not ${sizes}`];
    }),
  );
  return [...wrong.flat(), ...icons.flat(), ...drawings];
}

/** Lists what's wrong with the preview image of a shared link to the page. */
export async function cardDefects(site: Site, page: Page): Promise<string[]> {
  const address = one(page, 'meta[property="og:image"]', 'content');
  if (page.hidden || address === null) return [];
  const file = ownPath(site, address);
  if (file === null || !site.files.has(file))
    return [`${page.file}: og:image ${address} is not there`];
  const size = await measure(site, file);
  if (size?.format === 'png' && size.width === 1200 && size.height === 630) return [];
  return [`${page.file}: og:image ${address} is no PNG of 1200×630`];
}

import { site } from '#lib/content/site.ts';
import { reportColor } from '#lib/files/report-style.ts';

const paper = reportColor('paper');

/** Each picture's leaves are within the circle that every system leaves of an icon. */
const icons = [192, 512].flatMap((size) =>
  ['any', 'maskable'].map((purpose) => ({
    src: `/icon-${size}.png`,
    type: 'image/png',
    sizes: `${size}x${size}`,
    purpose,
  })),
);

const shortcutIcons = icons.slice(0, 1).map(({ purpose, ...icon }) => icon);
/** What a long press on the app's icon offers. */
const shortcuts = [
  { name: 'Projects', url: '/dashboard/projects' },
  { name: 'Messages', url: '/dashboard/messages' },
  { name: 'Toolbox', url: '/dashboard/toolbox' },
].map((each) => ({ ...each, icons: shortcutIcons }));

/** The web app manifest, for installing the site as an app. Prerendered. */
export function GET(): Response {
  const manifest = {
    // Stays the same if the page it starts with is ever another one.
    id: '/dashboard',
    name: site.product,
    short_name: site.product,
    description: site.tagline,
    lang: 'en',
    start_url: '/dashboard',
    // All of the site, so that signing in and reading a guide stay in the app's window.
    scope: '/',
    display: 'standalone',
    theme_color: paper,
    background_color: paper,
    categories: ['business', 'productivity'],
    icons: [...icons, { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' }],
    shortcuts,
    screenshots: [
      {
        src: '/press/dashboard.png',
        type: 'image/png',
        sizes: '2048x1600',
        form_factor: 'wide',
        label: 'The first page: what to do next, and eight skills at a glance',
      },
    ],
  };
  return new Response(JSON.stringify(manifest), {
    headers: { 'Content-Type': 'application/manifest+json' },
  });
}

import { routes } from '#lib/routing/routes.ts';

/**
 * Runs on every page before the first paint. It applies the theme the user chose and checks for a
 * session cookie, so that "Sign in" becomes "Dashboard" without a flash. It reads no private data.
 * Buttons with `data-pick-theme` (Footer.astro) choose a theme.
 */
export const beforePaint = `(function(d,r,t){
try{t=localStorage.theme}catch(e){}
function show(){
if(t)r.dataset.theme=t;else delete r.dataset.theme;
d.querySelectorAll("meta[name=theme-color]").forEach(function(m){m.media=t?m.dataset.for==t?"all":"not all":"(prefers-color-scheme:"+m.dataset.for+")"});
d.querySelectorAll("[data-pick-theme]").forEach(function(b){b.setAttribute("aria-pressed",b.dataset.pickTheme==(t||""))})
}
show();
if(/(^|; )trellis-session(\\.0)?=./.test(d.cookie))r.dataset.session="";
d.addEventListener("DOMContentLoaded",show);
d.addEventListener("click",function(e){
var b=e.target.closest("[data-pick-theme]");
if(b){t=b.dataset.pickTheme;try{t?localStorage.theme=t:localStorage.removeItem("theme")}catch(e){}show()}
})})(document,document.documentElement)`.replaceAll('\n', '');

/** The first path segments of on-demand pages, such as `dashboard`, for a URL pattern. */
const asked = [
  ...new Set(
    routes
      .filter(({ rendering }) => rendering === 'on-demand')
      .map(({ path }) => path.split('/')[1]),
  ),
].join('|');

/**
 * What the browser may prefetch before a link is clicked: prerendered pages only. On-demand pages
 * are private and cost database queries; so does the home page if a session redirects from it.
 * Requests to functions have side effects, and a path with a dot is a file.
 */
export const speculationRules = JSON.stringify({
  prefetch: [
    {
      where: {
        and: [
          { href_matches: '/*' },
          { not: { href_matches: `/(${asked}|functions|_local){/*}?` } },
          { not: { href_matches: '/*.*' } },
          { not: { selector_matches: ':root[data-session] [href="/"]' } },
        ],
      },
      eagerness: 'moderate',
    },
  ],
});

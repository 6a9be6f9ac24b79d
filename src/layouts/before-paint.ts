import { routes } from '#lib/routing/routes.ts';

/**
 * The one script of a reading page, run before the first paint: the theme that a person chose, and
 * whether a session cookie exists, so that "Sign in" is "Dashboard" without a flash. It reads no
 * private data. The buttons with `data-pick-theme` (Footer.astro) choose a theme.
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

/** Where pages are that are asked for: `/dashboard`, `/login` and what is below them. */
const asked = [
  ...new Set(
    routes
      .filter(({ rendering }) => rendering === 'on-demand')
      .map(({ path }) => path.split('/')[1]),
  ),
].join('|');

/**
 * What the browser may fetch before a link is pressed: built pages only. The others are private and
 * cost a look into the database; home too where a session leads on from it. Functions do something
 * when asked, and a path with a dot is a file.
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

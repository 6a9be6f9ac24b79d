/**
 * The script of a page that stands in for one that could not be made: it opens that page as soon as
 * the site says that it is well, or the browser that it has a connection. It asks more and more
 * seldom, and later where it has just been opened in vain.
 */
export const openWhenBack = `(function(w,d,wait){
function open(){w.location.reload()}
function look(){setTimeout(function(){
wait=Math.min(wait*1.5,60000);
if(d.hidden||!navigator.onLine)look();
else fetch("/healthz",{cache:"no-store"}).then(function(a){if(a.ok)open();else look()},look)
},wait)}
w.addEventListener("online",open);
look()
})(window,document,performance.getEntriesByType("navigation")[0].type=="reload"?15000:5000)`.replaceAll(
  '\n',
  '',
);

/**
 * The script of pages shown instead of the requested one (503, no connection). It reloads as soon
 * as /healthz responds with 200 or the browser is online again. The delay between two checks grows
 * from 5 seconds to a minute; after a reload that didn't help, it starts at 15 seconds.
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

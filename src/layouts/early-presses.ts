/**
 * The script of pages that are asked for: a button that is pressed before its island has its scripts
 * is pressed again when it has them. Only the last one, so that nobody is surprised by a row of
 * things they have given up on; and not what the browser itself does at once (`popovertarget`).
 */
export const earlyPresses = `(function(last){
document.addEventListener("click",function(e){
if(!e.isTrusted)return;
var b=last=e.target.closest("button[type=button]:not([popovertarget])"),i=b&&b.closest("astro-island[ssr]");
if(i)i.addEventListener("astro:hydrate",function(){if(last==b)b.click()},{once:true})
},true)})()`.replaceAll('\n', '');

/**
 * The script of on-demand pages: once an island hydrates, it replays what the user did there
 * before, since React doesn't receive events from before hydration.
 *
 * - It clicks a button again, after the pointerdown that opens menus. Only the last one clicked, so
 *   users aren't surprised by actions they've given up on; and none the browser handles itself
 *   (`popovertarget`).
 * - It reports what the user typed, chose or checked to the control's own handler, and keeps the
 *   caret in place. The first event only wakes React, which may reset the control to its
 *   server-rendered value. Then the script sets a different value, and sets the user's past React's
 *   own setter, because React ignores an event if it already knows the value.
 *
 * It also keeps the browser's offer to install the site as an app, which may come before any other
 * script (stores/install.ts).
 */
export const beforeScripts = `(function(d,all,last){
function island(e){return e&&e.closest("astro-island[ssr]")}
function hydrated(i,f){i.addEventListener("astro:hydrate",f,{once:true})}
function fire(c,n){c.dispatchEvent(new Event(n,{bubbles:true}))}
function checks(c){return/^(checkbox|radio)$/.test(c.type)}
function tell(v,c){
fire(c,"input");
if(!c.isConnected)return;
if(checks(c)){c.checked=!v;c.click();return}
c.value=v+".";
Object.getOwnPropertyDescriptor(Object.getPrototypeOf(c),"value").set.call(c,v);
fire(c,c.tagName=="SELECT"?"change":"input")
}
function note(e){
var c=e.target,i=island(c),held=all.get(i);
if(!i||c.type=="file")return;
if(!held){
all.set(i,held=new Map);
hydrated(i,function(){
var f=d.activeElement,a=f.selectionStart,b=f.selectionEnd;
held.forEach(tell);
if(held.has(f)&&a!=null)f.setSelectionRange(a,b)
})}
held.set(c,checks(c)?c.checked:c.value)
}
d.addEventListener("input",note,true);
d.addEventListener("change",note,true);
d.addEventListener("click",function(e){
if(!e.isTrusted)return;
var b=last=e.target.closest("button[type=button]:not([popovertarget])"),i=island(b);
if(i)hydrated(i,function(){
if(last!=b)return;
b.dispatchEvent(new PointerEvent("pointerdown",{bubbles:true,cancelable:true}));
b.click()
})
},true);
addEventListener("beforeinstallprompt",function(e){e.preventDefault();window.installOffer=e})
})(document,new Map)`.replaceAll('\n', '');

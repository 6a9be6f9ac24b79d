/**
 * The script of pages that are asked for: what a person does before an island has its scripts is done
 * again when it has them, since React gets no events from before hydration.
 *
 * - A button is pressed, first down, which is what opens a menu. Only the last one, so that a person isn't
 *   surprised by a row of things they have given up on; and not what the browser itself does at once
 *   (`popovertarget`).
 * - What was typed, chosen or ticked is told to the control's own handler, and the caret stays where it
 *   was. The first event only wakes React, which may put the control back to what came with the page.
 *   Then the control gets another value, and the person's again past React's own setter: of a value that
 *   it knows, React says nothing.
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
},true)})(document,new Map)`.replaceAll('\n', '');

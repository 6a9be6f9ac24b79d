/**
 * Moves past events from the upcoming to the past list, since days go by without a new build, and
 * adds the reader's local time to times online if it differs, with the weekday if that does. Without JavaScript, each time still shows its date. A
 * page passes this to its layout, which runs it.
 */
export const keepCurrent = `{let a=(s,f)=>document.querySelectorAll(s).forEach(f);
a("[data-ends]",e=>e.hidden=new Date(e.dataset.ends)<new Date!="past"in e.dataset);
a("time[data-zone]",t=>{let f=timeZone=>new Date(t.dateTime).toLocaleString("en-US",{timeZone,weekday:"short",hour:"numeric",minute:"2-digit"}),m=f(),z=f(t.dataset.zone),d=m.slice(0,3)==z.slice(0,3)?4:0;
if(m!=z)t.after(" ("+m.slice(d).replaceAll(" ","\u00a0")+" your time)")})}`.replaceAll('\n', '');

/**
 * Days pass without a new build: what is over leaves the list of what comes and joins what was, and
 * a reader elsewhere sees the time on their own clock too. Without scripts each time has its date.
 * A page hands it to its layout, which lets it run.
 */
export const keepCurrent = `{let a=(s,f)=>document.querySelectorAll(s).forEach(f);
a("[data-ends]",e=>e.hidden=new Date(e.dataset.ends)<new Date!="past"in e.dataset);
a("time[data-zone]",t=>{let f=timeZone=>new Date(t.dateTime).toLocaleString("en-US",{timeZone,weekday:"short",hour:"numeric",minute:"2-digit"}),m=f();
if(m!=f(t.dataset.zone))t.after(", "+m+" for you")})}`.replaceAll('\n', '');

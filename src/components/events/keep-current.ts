/**
 * Days pass without a new build, so events that are over move from the upcoming list to the past
 * one, and readers elsewhere also see the time on their own clock. Without scripts each time has its
 * date. A page hands this to its layout, which runs it.
 */
export const keepCurrent = `{let a=(s,f)=>document.querySelectorAll(s).forEach(f);
a("[data-ends]",e=>e.hidden=new Date(e.dataset.ends)<new Date!="past"in e.dataset);
a("time[data-zone]",t=>{let f=timeZone=>new Date(t.dateTime).toLocaleString("en-US",{timeZone,weekday:"short",hour:"numeric",minute:"2-digit"}),m=f();
if(m!=f(t.dataset.zone))t.after(", "+m+" your time")})}`.replaceAll('\n', '');

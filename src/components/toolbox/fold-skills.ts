/**
 * The script of the page of all tools: on a phone, the skills start folded, so that all eight are in
 * view; the one that a link leads to stays open. Without it, they're all open.
 */
export const foldSkills = `matchMedia("(width<40rem)").matches&&document.querySelectorAll("main section>details").forEach(function(d){d.open="#"+d.parentNode.id==location.hash})`;

// Counts a view, not a viewer.
((d, n, route) => {
  const send = () =>
    fetch('/app-config.json')
      .then((a) => a.json())
      .then((c) =>
        n.sendBeacon(
          `${c.supabaseUrl}/functions/v1/page-view`,
          JSON.stringify({ route, path: /\[[it]|^u/.test(route) ? route : location.pathname }),
        ),
      )
      .catch(() => {});
  if (n.doNotTrack > 0 || n.globalPrivacyControl) return;
  d.prerendering ? d.addEventListener('prerenderingchange', send) : send();
  addEventListener('pageshow', (e) => e.persisted && send());
})(document, navigator, document.currentScript.dataset.route);

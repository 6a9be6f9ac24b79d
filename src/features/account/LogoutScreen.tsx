import { useEffect, useRef } from 'react';
import { forgetPrivate } from '#lib/browser/forget-private.ts';
import { notifyTabs } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { AccountFrame } from './account-parts.tsx';

/** Signs out with a form that submits itself; its button serves browsers without scripts. */
function LogoutScreen({ signedIn }: { signedIn: boolean }) {
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    if (signedIn) return form.current?.requestSubmit();
    // The cookies are gone; tell the other tabs.
    notifyTabs('left');
    forgetPrivate();
  }, [signedIn]);

  if (signedIn) {
    return (
      <AccountFrame title="Sign out">
        <form ref={form} method="post" action="/logout" className="flex flex-col items-start gap-5">
          <p>This signs you out in every tab of this browser.</p>
          <Button type="submit">Sign out</Button>
        </form>
      </AccountFrame>
    );
  }
  return (
    <AccountFrame title="You’re signed out">
      <div className="flex flex-wrap gap-3">
        <Button href="/login">Sign in</Button>
        <Button variant="secondary" href="/">
          Go to the home page
        </Button>
      </div>
    </AccountFrame>
  );
}

export default screen(LogoutScreen);

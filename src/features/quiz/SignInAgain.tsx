import { loginHref } from '#lib/next-path.ts';
import { Button } from '#ui/Button.tsx';

/** For somebody whose session is over: back to this page by way of signing in. */
export const SignInAgain = () => (
  <Button size="small" href={loginHref(typeof location === 'undefined' ? null : location.pathname)}>
    Sign in again
  </Button>
);

import { useStore } from '@nanostores/react';
import { $endedEmail } from '#stores/session.ts';
import { $toasts, addToast, dismissToast } from '#stores/toasts.ts';
import { PlainToasts } from '#ui/PlainToasts.tsx';
import { type BrokenProps, BrokenScreen, screen } from '#ui/ScreenBoundary.tsx';
import { usePart } from '#ui/use-part.ts';

const loadIdleParts = () => import('./IdleParts.tsx');

/**
 * Part of every signed-in page: shows toasts, the bell's list and two dialogs. It hydrates, and loads
 * most of itself, once the page's other islands work and the browser is idle.
 */
function ShellScreen() {
  const part = usePart(loadIdleParts, true);
  return (
    <>
      <Toasts />
      <SignInAgain />
      {part && <part.IdleParts />}
    </>
  );
}

const loadToaster = () => import('#ui/Toaster.tsx');

/** The Toaster is larger than some pages, so it loads once the page works. */
function Toasts() {
  const toasts = useStore($toasts, { ssr: 'initial' });
  const part = usePart(loadToaster, true);
  if (part) return <part.Toaster toasts={toasts} onDismiss={dismissToast} />;
  return <PlainToasts toasts={toasts} onDismiss={dismissToast} className="bottom-14 lg:bottom-0" />;
}

const loadSignIn = () => import('./SignInAgain.tsx');

/** If the session ends while a page is open, users sign in again in a dialog and lose nothing. */
function SignInAgain() {
  // A computed store has no initial value before it's followed: for React, everyone's session would have ended.
  const email = useStore($endedEmail, { ssr: () => null });
  const isEnded = email !== null;
  const part = usePart(loadSignIn, isEnded, () =>
    addToast({
      tone: 'bad',
      title: 'You’ve been signed out',
      text: 'Sign in in a new tab. This page will catch up on its own.',
      action: { label: 'Sign in', onPress: () => window.open('/login', '_blank', 'noopener') },
      lasting: true,
    }),
  );
  return isEnded && part && <part.SignInAgain email={email} />;
}

/** The fallback: the page works, but shows no toasts and doesn't notice an ended session. */
const Broken = (props: BrokenProps) => (
  <div className="fixed right-0 bottom-14 z-50 w-full max-w-md px-4 lg:bottom-0 print:hidden">
    <BrokenScreen {...props} />
  </div>
);

export default screen(ShellScreen, Broken);

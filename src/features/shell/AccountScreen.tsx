import type { ReactNode } from 'react';
import type { SessionFacts } from '#data/session.ts';
import { avatarSrc } from '#lib/files/image-request.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { Button } from '#ui/Button.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { useFacts } from './use-facts.ts';

/** Shows who's signed in, and lets them sign out. The form works without JavaScript. */
function AccountScreen({ initial }: { initial: SessionFacts }) {
  const { userId, fullName, email, avatarPath } = useFacts(initial);
  return (
    <Ways>
      <Avatar id={userId} name={fullName || email} src={avatarSrc(avatarPath)} size={32} />
      <span className="min-w-0">
        <span className="block truncate font-semibold">{fullName || 'Profile'}</span>
        <span className="block truncate text-xs text-muted">{email}</span>
      </span>
    </Ways>
  );
}

/** A link to the profile, with `children` as its content, and the sign-out button. */
function Ways({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-3">
      <a
        href="/dashboard/profile"
        className="flex min-h-11 items-center gap-3 rounded-control px-2 text-sm no-underline hover:bg-raised"
      >
        {children}
      </a>
      <form method="post" action="/logout">
        <Button type="submit" variant="quiet" size="small" className="w-full justify-start!">
          Sign out
        </Button>
      </form>
    </div>
  );
}

/** The fallback: the same link and button if the rest can't be rendered. */
const Broken = () => <Ways>Profile</Ways>;

export default screen(AccountScreen, Broken);

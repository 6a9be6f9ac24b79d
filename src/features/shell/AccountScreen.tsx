import { useStore } from '@nanostores/react';
import { type ReactNode, useEffect } from 'react';
import type { SessionFacts } from '#data/session.ts';
import { avatarSrc } from '#lib/files/image-request.ts';
import { $installOffer, followInstallOffer, install } from '#stores/install.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { Button } from '#ui/Button.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { useFacts } from './use-facts.ts';

interface AccountProps {
  initial: Pick<SessionFacts, 'userId' | 'fullName' | 'email' | 'avatarPath'>;
}

/**
 * Shows who's signed in, lets them sign out and, where the browser offers it, install the site as an
 * app. The form works without JavaScript.
 */
function AccountScreen({ initial }: AccountProps) {
  const { userId, fullName, email, avatarPath } = useFacts(initial);
  const offer = useStore($installOffer, { ssr: 'initial' });
  useEffect(followInstallOffer, []);
  return (
    <Ways
      more={
        offer && (
          <Button
            variant="quiet"
            size="small"
            className="w-full justify-start!"
            onClick={() => void install()}
          >
            Install as an app
          </Button>
        )
      }
    >
      <Avatar id={userId} name={fullName || email} src={avatarSrc(avatarPath)} size={32} />
      <span className="min-w-0">
        <span className="block truncate font-semibold">{fullName || 'Profile'}</span>
        <span className="block truncate text-xs text-muted">{email}</span>
      </span>
    </Ways>
  );
}

/** A link to the profile, with `children` as its content, `more` buttons, and the sign-out button. */
function Ways({ children, more }: { children: ReactNode; more?: ReactNode }) {
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-3">
      <a
        href="/dashboard/profile"
        className="flex min-h-11 items-center gap-3 rounded-control px-2 text-sm no-underline hover:bg-raised"
      >
        {children}
      </a>
      {more}
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

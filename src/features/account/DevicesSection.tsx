import { useRef } from 'react';
import type { Account, Device } from '#data/account.ts';
import { momentText } from '#lib/locale/dates.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { FailureLine } from '#ui/Failure.tsx';
import { Section } from '#ui/Section.tsx';
import { useAction } from '#ui/use-action.ts';
import { useFocusBack } from '#ui/use-focus-back.ts';
import type { AccountStore } from './account-store.ts';
import { deviceName } from './device-name.ts';

interface DevicesSectionProps {
  account: Account;
  store: AccountStore;
  timeZone: string;
}

/** The devices the user is signed in on, each with a button to sign it out. */
export function DevicesSection({ account, store, timeZone }: DevicesSectionProps) {
  const { sessions } = account;
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusBack(heading, sessions.length);
  return (
    <Section id="devices" title="Signed-in devices" headingRef={heading}>
      <p className="mt-1 max-w-[60ch] text-sm text-muted">
        Don’t recognize one? Sign it out and change your password.
      </p>
      <ul aria-labelledby="devices" className="card mt-5 divide-y divide-line">
        {sessions.map((device) => (
          <DeviceRow key={device.id} device={device} store={store} timeZone={timeZone} />
        ))}
      </ul>
      {sessions.some(({ current }) => !current) && <OtherDevices store={store} />}
    </Section>
  );
}

function useSignOut(work: () => Promise<void>, done: string) {
  const { run, ...state } = useAction(reportError);
  const signOut = () =>
    run(async () => {
      await work();
      addToast({ tone: 'good', title: done });
    });
  return { ...state, signOut: () => void signOut() };
}

interface DeviceRowProps {
  device: Device;
  store: AccountStore;
  timeZone: string;
}

function DeviceRow({ device, store, timeZone }: DeviceRowProps) {
  const endDevice = () => store.endDevice(device.id);
  const { pending, failure, signOut } = useSignOut(endDevice, 'That device is signed out.');
  const name = deviceName(device.user_agent);
  const signedIn = momentText(device.signed_in_at, timeZone);
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 p-5">
      <div className="min-w-48 flex-1">
        <p className="font-semibold">
          {name}
          {device.current && <span className="font-normal text-muted"> (this device)</span>}
        </p>
        <p className="text-sm text-muted">
          Signed in on {signedIn}
          {device.seen_at !== device.signed_in_at &&
            `, last seen on ${momentText(device.seen_at, timeZone)}`}
        </p>
        <FailureLine failure={failure} className="text-sm" />
      </div>
      {!device.current && (
        <Button
          className="max-sm:-ml-3"
          size="small"
          variant="quiet"
          pending={pending}
          onClick={signOut}
        >
          Sign out<span className="sr-only"> {`${name}, signed in on ${signedIn}`}</span>
        </Button>
      )}
    </li>
  );
}

function OtherDevices({ store }: { store: AccountStore }) {
  const { pending, failure, signOut } = useSignOut(
    store.endOtherDevices,
    'Signed out everywhere else.',
  );
  return (
    <div className="mt-4">
      <Button variant="secondary" pending={pending} onClick={signOut}>
        Sign out everywhere else
      </Button>
      <FailureLine failure={failure} className="text-sm" />
    </div>
  );
}

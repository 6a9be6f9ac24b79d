import { useRef, useState } from 'react';
import type { Account, Device } from '#data/account.ts';
import { momentText } from '#lib/dates.ts';
import type { AppError } from '#lib/errors.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { useReady } from '#ui/use-ready.ts';
import type { AccountStore } from './account-store.ts';
import { deviceName } from './device-name.ts';

interface DevicesSectionProps {
  account: Account;
  store: AccountStore;
  timeZone: string;
}

/** Where somebody is signed in, and signing out there. */
export function DevicesSection({ account, store, timeZone }: DevicesSectionProps) {
  const ready = useReady();
  const [busy, setBusy] = useState<string | null>(null);
  const [failure, setFailure] = useState<{ id: string; error: AppError } | null>(null);
  const { sessions } = account;
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusBack(heading, sessions.length);
  const others = sessions.filter(({ current }) => !current).length;

  async function act(id: string, work: () => Promise<void>, said: string) {
    setBusy(id);
    setFailure(null);
    try {
      await work();
      addToast({ tone: 'good', title: said });
    } catch (thrown) {
      setFailure({ id, error: reportError(thrown) });
    }
    setBusy(null);
  }

  return (
    <section aria-labelledby="devices">
      <h2 id="devices" ref={heading} tabIndex={-1} className="text-lg">
        Signed-in devices
      </h2>
      <p className="mt-1 max-w-[60ch] text-sm text-muted">
        One that you do not know? Sign it out and change your password.
      </p>
      <ul aria-labelledby="devices" className="card mt-5 divide-y divide-line">
        {sessions.map((device) => (
          <li key={device.id} className="flex flex-wrap items-center gap-x-6 gap-y-2 p-5">
            <div className="min-w-48 flex-1">
              <p className="font-semibold">
                {deviceName(device.user_agent)}
                {device.current && <span className="font-normal text-muted"> (this one)</span>}
              </p>
              <p className="text-sm text-muted">
                Signed in on {momentText(device.signed_in_at, timeZone)}
                {device.seen_at !== device.signed_in_at &&
                  `, last seen on ${momentText(device.seen_at, timeZone)}`}
              </p>
              {failure?.id === device.id && <Failure error={failure.error} />}
            </div>
            {!device.current && (
              <Button
                size="small"
                variant="quiet"
                pending={busy === device.id}
                disabled={!ready}
                onClick={() =>
                  void act(device.id, () => store.endDevice(device.id), 'Signed out there.')
                }
              >
                Sign out<span className="sr-only"> {nameIn(device, timeZone)}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {others > 0 && (
        <div className="mt-4">
          <Button
            variant="secondary"
            pending={busy === 'others'}
            disabled={!ready}
            onClick={() =>
              void act('others', store.endOtherDevices, 'Signed out everywhere but here.')
            }
          >
            Sign out everywhere else
          </Button>
          {failure?.id === 'others' && <Failure error={failure.error} />}
        </div>
      )}
    </section>
  );
}

const nameIn = (device: Device, timeZone: string) =>
  `${deviceName(device.user_agent)}, signed in on ${momentText(device.signed_in_at, timeZone)}`;

const Failure = ({ error }: { error: AppError }) => (
  <p role="alert" className="mt-2 text-sm font-medium text-danger">
    {error.message}
  </p>
);

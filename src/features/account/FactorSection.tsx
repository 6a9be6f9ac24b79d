import { useRef, useState } from 'react';
import type { Account, Enrolment, Factor } from '#data/account.ts';
import { dayText } from '#lib/locale/dates.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Button } from '#ui/Button.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Section } from '#ui/Section.tsx';
import { useAction } from '#ui/use-action.ts';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { useOpenedPart } from '#ui/use-part.ts';
import type { AccountStore } from './account-store.ts';
import { loadForms } from './load-forms.ts';
import { RecoveryCodes } from './RecoveryCodes.tsx';

interface FactorSectionProps {
  account: Account;
  store: AccountStore;
  timeZone: string;
  siteName: string;
}

/** Adds and removes authenticator apps, and explains what to do about a lost phone. */
export function FactorSection({ account, store, timeZone, siteName }: FactorSectionProps) {
  const { factors } = account;
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusBack(heading, factors.length);
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [removing, setRemoving] = useState<Factor | null>(null);
  const stopRemoving = () => setRemoving(null);
  const forms = useOpenedPart(loadForms, removing !== null, stopRemoving);
  const { pending, failure, run } = useAction(reportError);
  const [codes, setCodes] = useState<string[] | null>(null);
  const closeCodes = () => setCodes(null);
  const newCodes = useOpenedPart(loadNewCodes, codes !== null, closeCodes);
  const makeCodes = async () => setCodes(await store.makeRecoveryCodes());
  const start = () => run(async () => setEnrolment(await store.startFactor(siteName)));

  return (
    <Section id="second-factor" title="Two-step sign-in" headingRef={heading}>
      <p className="mt-1 max-w-[60ch] text-sm text-muted">
        {factors.length === 0
          ? 'With an authenticator app, a stolen password isn’t enough: signing in also takes a six-digit code from your phone.'
          : 'Signing in takes your password and a six-digit code from your app.'}
      </p>
      {factors.length > 0 && (
        <FactorList factors={factors} timeZone={timeZone} onRemove={setRemoving} />
      )}
      <div className="mt-5 flex flex-col items-start gap-4">
        <Button
          variant={factors.length === 0 ? 'primary' : 'secondary'}
          pending={pending}
          disabled={factors.length >= 5}
          onClick={() => void start()}
        >
          {factors.length === 0 ? 'Add an authenticator app' : 'Add another app'}
        </Button>
        <Failure failure={failure} />
      </div>
      {factors.length > 0 && (
        <RecoveryCodes stored={account.recovery_codes} onMake={makeCodes} timeZone={timeZone} />
      )}
      <EnrolDialog
        enrolment={enrolment}
        store={store}
        onClose={() => setEnrolment(null)}
        // If this fails, the section says there are none and offers to make them.
        onAdded={() => account.recovery_codes === null && void makeCodes().catch(() => {})}
      />
      {codes && newCodes && (
        <newCodes.NewCodesDialog codes={codes} siteName={siteName} onClose={closeCodes} />
      )}
      <Dialog
        open={removing !== null && forms !== null}
        onOpenChange={stopRemoving}
        title="Remove this app?"
        description={
          factors.length > 1
            ? 'You’ll sign in with your other app instead.'
            : 'After that, you’ll only need your password to sign in.'
        }
      >
        {removing && forms && (
          <forms.RemoveForm factor={removing} store={store} onDone={stopRemoving} />
        )}
      </Dialog>
    </Section>
  );
}

interface FactorListProps {
  factors: Factor[];
  timeZone: string;
  onRemove: (factor: Factor) => void;
}

function FactorList({ factors, timeZone, onRemove }: FactorListProps) {
  return (
    <>
      <ul aria-labelledby="second-factor" className="card mt-5 divide-y divide-line">
        {factors.map((factor, index) => (
          <li key={factor.id} className="flex flex-wrap items-center gap-x-6 gap-y-2 p-5">
            <div className="min-w-48 flex-1">
              <p className="font-semibold">{appName(factors, index)}</p>
              <p className="text-sm text-muted">Added on {dayText(factor.added_at, timeZone)}</p>
            </div>
            <Button size="small" variant="quiet" onClick={() => onRemove(factor)}>
              Remove<span className="sr-only"> {appName(factors, index)}</span>
            </Button>
          </li>
        ))}
      </ul>
      <div className="mt-4 max-w-[60ch] text-sm text-muted">
        <h3 className="text-sm font-semibold text-ink">If you lose your phone</h3>
        <p>
          {factors.length === 1
            ? 'Sign in with a recovery code, or add a second app on another device now, and either one will let you in. If you’ve lost the app and the codes, write to us, and we’ll check it’s you before we remove the app.'
            : 'Sign in with the other app, remove the lost one here and sign out any devices you no longer have. If you’ve lost them all, use a recovery code. If you’ve lost those too, write to us, and we’ll check it’s you before we remove the apps.'}
        </p>
      </div>
    </>
  );
}

const loadNewCodes = () => import('./NewCodesDialog.tsx');

/** The form brings the code that draws QR codes. */
const loadEnrolForm = () => import('./EnrolForm.tsx');

interface EnrolDialogProps {
  enrolment: Enrolment | null;
  store: AccountStore;
  onClose: () => void;
  onAdded: () => void;
}

function EnrolDialog({ enrolment, store, onClose, onAdded }: EnrolDialogProps) {
  const part = useOpenedPart(loadEnrolForm, enrolment !== null, onClose);
  const finish = () => {
    onClose();
    onAdded();
    addToast({
      tone: 'good',
      title: 'App added.',
      text: 'Devices that never entered a code are signed out.',
    });
  };
  return (
    <Dialog
      open={enrolment !== null && part !== null}
      onOpenChange={onClose}
      title="Add an authenticator app"
      description="Any authenticator app works: a password manager, Aegis, Google or Microsoft Authenticator, or 2FAS."
    >
      {enrolment && part && <part.EnrolForm enrolment={enrolment} store={store} onDone={finish} />}
    </Dialog>
  );
}

const appName = (factors: Factor[], index: number) =>
  factors.length > 1 ? `Authenticator app ${index + 1}` : 'Authenticator app';

import { useState } from 'react';
import { type CoachSettings, getCoachSettings } from '#data/coach-settings.ts';
import { db } from '#lib/db.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { reportError } from '#stores/session.ts';
import { screen } from '#ui/ScreenBoundary.tsx';
import { LeaveSection } from './settings/LeaveSection.tsx';
import { ProfileForm } from './settings/ProfileForm.tsx';
import { TimeOffSection } from './settings/TimeOffSection.tsx';

export interface SettingsProps {
  settings: CoachSettings;
  fullName: string;
  /** The coach's languages, by name. */
  languages: string[];
  /** "Denver, Mountain Time (GMT-7)"; null while it's unknown. */
  timeZone: string | null;
  /** Today on the coach's clock. */
  today: string;
}

/** What a coach says about themselves, how much they take on, and when they're away. */
function CoachSettingsScreen(props: SettingsProps) {
  const [settings, setSettings] = useState(props.settings);
  /** Stores a change and shows what's stored then. Throws an AppError. */
  async function store(change: () => Promise<void>): Promise<void> {
    try {
      await change();
      setSettings(await getCoachSettings(await db()));
    } catch (thrown) {
      throw reportError(thrown);
    }
  }
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <header>
        <p className="text-sm">
          <a className="link" href={hrefFor('/dashboard/coaching')}>
            Clients
          </a>
        </p>
        <h1 className="mt-3">Profile and time off</h1>
        <p className="mt-2 max-w-[60ch] text-muted">
          Owners choose a coach by this. You have{' '}
          {settings.clients === 1 ? '1 client' : `${settings.clients} clients`} now.
        </p>
      </header>
      <ProfileForm {...props} settings={settings} onStore={store} />
      <TimeOffSection settings={settings} today={props.today} onStore={store} />
      <LeaveSection clients={settings.clients} onLeft={() => store(async () => {})} />
    </div>
  );
}

export default screen(CoachSettingsScreen);

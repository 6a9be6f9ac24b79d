import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { $notices, beginNotices, chooseNotification, chooseSound } from '#stores/notices.ts';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { ReadyFieldset } from '#ui/forms/ReadyFieldset.tsx';

const ANSWERS: Record<string, string> = {
  denied: 'Your browser is blocking notifications. Allow them in its settings for this site.',
  default: 'You didn’t answer the browser’s question, so this stays off.',
  missing: 'This browser doesn’t support notifications.',
};

/** What this browser does when a new message arrives; the setting is stored per browser. */
export function NoticesForm() {
  const { sound, notification } = useStore($notices, { ssr: 'initial' });
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(beginNotices, []);
  async function notify(wanted: boolean) {
    const answer = await chooseNotification(wanted);
    setProblem(wanted ? (ANSWERS[answer] ?? null) : null);
  }
  return (
    <ReadyFieldset className="mt-4 flex flex-col gap-4">
      <legend className="sr-only">When a new message arrives</legend>
      <Checkbox
        label="Play a sound"
        hint="Two soft notes, unless you have the conversation open."
        checked={sound}
        onChange={(event) => chooseSound(event.currentTarget.checked)}
      />
      <Checkbox
        label="Show a notification"
        hint="Your browser shows it while this site is open. It’ll ask for permission first."
        checked={notification}
        error={problem}
        onChange={(event) => void notify(event.currentTarget.checked)}
      />
    </ReadyFieldset>
  );
}

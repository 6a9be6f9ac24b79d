import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { $notices, beginNotices, chooseNotification, chooseSound } from '#stores/notices.ts';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { useReady } from '#ui/use-ready.ts';

const ANSWERS: Record<string, string> = {
  denied: 'This browser does not allow it. Its settings for this site can change that.',
  default: 'The browser was not answered, so it stays off.',
  missing: 'This browser has no notifications.',
};

/** What this browser does about a new message. Each browser has its own choice. */
export function NoticesForm() {
  const ready = useReady();
  const { sound, notification } = useStore($notices, { ssr: 'initial' });
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(beginNotices, []);
  async function notify(wanted: boolean) {
    const answer = await chooseNotification(wanted);
    setProblem(wanted ? (ANSWERS[answer] ?? null) : null);
  }
  return (
    <fieldset disabled={!ready} className="mt-4 flex flex-col gap-4">
      <legend className="sr-only">What this browser does about a new message</legend>
      <Checkbox
        label="A sound"
        hint="Two soft notes, unless the conversation is open in front of you."
        checked={sound}
        onChange={(event) => chooseSound(event.currentTarget.checked)}
      />
      <Checkbox
        label="A notification"
        hint="The browser shows it while a page of this site is open. It asks for permission first."
        checked={notification}
        error={problem}
        onChange={(event) => void notify(event.currentTarget.checked)}
      />
    </fieldset>
  );
}

import type { Survey } from '#data/survey.ts';
import { Notice } from '#ui/Notice.tsx';

/** Fewest responses that are ever shown, on any cut (product rules, "Engagement survey"). */
const FEWEST = 5;

/** What is promised before the first question; the tables of the database keep it. */
export function PrivacyPromise({ privacy }: { privacy: Survey['privacy'] }) {
  return (
    <Notice
      className="mt-8"
      title={privacy === 'anonymous' ? 'This survey is anonymous' : 'This survey is confidential'}
    >
      {privacy === 'anonymous' ? (
        <p>
          What you answer is stored with the day and nothing that leads to you. A personal link only
          remembers that it was used. Comments are shown as you write them, so leave out names you
          would not say aloud.
        </p>
      ) : (
        <p>
          What you answer by a personal link is stored with your coaching, and no one is shown your
          answers by themselves.
        </p>
      )}
      <p className="mt-2">
        Results, comments included, are shown only together, from {FEWEST} responses up. Your coach
        never sees who answered what.
      </p>
    </Notice>
  );
}

import type { Survey } from '#data/survey.ts';
import { Notice } from '#ui/Notice.tsx';

/** The fewest responses ever shown, however grouped (product rules, "Engagement survey"). */
const FEWEST = 5;

/** The privacy promise shown before the first question. The database tables keep it. */
export function PrivacyPromise({ privacy }: { privacy: Survey['privacy'] }) {
  return (
    <Notice
      className="mt-8"
      title={privacy === 'anonymous' ? 'This survey is anonymous' : 'This survey is confidential'}
    >
      {privacy === 'anonymous' ? (
        <p>
          We store your answers with the date and nothing that identifies you. A personal link only
          remembers that it was used. We show comments the way you write them, so leave out any
          names you wouldn’t say out loud.
        </p>
      ) : (
        <p>
          If you use a personal link, we store your answers with your coaching, but we never show
          them separately.
        </p>
      )}
      <p className="mt-2">
        We show results only together, comments included, and only once there are {FEWEST}{' '}
        responses. Your coach never sees who answered what.
      </p>
    </Notice>
  );
}

import type { Survey } from '#data/survey.ts';
import { FEWEST_RESPONSES } from '#domain/survey.ts';
import { Notice } from '#ui/Notice.tsx';

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
          them separately. We show comments the way you write them.
        </p>
      )}
      <p className="mt-2">
        Nobody reads your answers alone. Our staff see results only in groups of at least{' '}
        {FEWEST_RESPONSES} answers, comments included and in random order, and new answers only once
        there are {FEWEST_RESPONSES} of them. Your coach never sees who answered what.
      </p>
    </Notice>
  );
}

import { useEffect } from 'react';
import type { AttemptView } from '#data/attempts.ts';
import type { Texts } from '#domain/language.ts';
import { db } from '#lib/db.ts';
import { ACCOUNT_CHANNEL } from '#lib/session-cookie.ts';
import { pageSync } from '#sync/page-sync.ts';
import { InLanguage } from '#ui/InLanguage.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { createAttemptAnswers } from './attempt-answers.ts';
import * as ending from './Ending.tsx';
import { Quiz } from './Quiz.tsx';
import { createQuizStore } from './quiz-store.ts';

interface AttemptProps {
  userId: string;
  view: AttemptView;
  /** The texts in the user's language, if it isn't English. */
  words?: Texts | undefined;
}

/** A signed-in user's open attempt: the quiz, with answers saved in the database. */
function AttemptScreen({ userId, view, words }: AttemptProps) {
  useEffect(() => {
    if (typeof BroadcastChannel === 'undefined') return;
    // When the user signs out in another tab, leave this page, so it shows nothing private.
    const channel = new BroadcastChannel(ACCOUNT_CHANNEL);
    channel.addEventListener('message', ({ data }) => {
      if (data === 'left') location.assign('/login');
    });
    return () => channel.close();
  }, []);
  return (
    <InLanguage words={words}>
      <Quiz
        ending={ending}
        open={() =>
          createQuizStore({
            version: view.version,
            kind: view.attempt.kind,
            answers: createAttemptAnswers(view, {
              async getAttempt(id) {
                const { getAttempt } = await import('#data/attempts.ts');
                return getAttempt(await db(), id);
              },
              openSync: () => pageSync(userId),
            }),
            // The same URL shows the results now.
            leave: () => location.reload(),
          })
        }
      />
    </InLanguage>
  );
}

export default screen(AttemptScreen);

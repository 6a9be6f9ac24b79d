import { useState } from 'react';
import type { WrikeFolder, WrikeMirror } from '#data/wrike.ts';
import { type MirrorStep, mirrorSteps } from '#domain/wrike.ts';
import { newId } from '#lib/new-id.ts';
import { reportError } from '#stores/session.ts';
import { addToast } from '#stores/toasts.ts';
import { Confirm, type Question } from '#ui/Confirm.tsx';
import { mirrorName } from './mirror-name.ts';
import type { createWrikeStore } from './wrike-store.ts';

/** Asks before something is created, changed or deleted in Wrike. */
export function useQuestions(store: ReturnType<typeof createWrikeStore>) {
  const [question, setQuestion] = useState<Question | null>(null);
  const ask = (asked: Omit<Question, 'act'>, done: string, work: () => Promise<void>) =>
    setQuestion({
      ...asked,
      act: async () => {
        await work();
        addToast({ tone: 'good', title: done });
      },
    });

  function askForTest({ id: folderId, title }: WrikeFolder) {
    const id = newId();
    const asked = {
      title: `Create a test project in ${title}?`,
      text: 'It’s named as a test and has nothing of anyone in it. You can delete it again from the list of mirrored projects.',
      yes: 'Create it',
    };
    ask(asked, 'The test project is being created.', () => store.mirror(id, folderId, null));
  }

  /** @param name the step's, from the button that was pressed */
  function askForStep(mirror: WrikeMirror, name: string) {
    const step = mirrorSteps(mirror).find((each) => each === name);
    if (!step) return;
    ask(questionOf(mirror, step), DONE[step], () => store.change(mirror.id, step));
  }

  const confirm = (
    <Confirm question={question} onClose={() => setQuestion(null)} onError={reportError} />
  );
  return { confirm, askForTest, askForStep };
}

const DONE: Record<MirrorStep, string> = {
  stop: 'It stays in Wrike as it is.',
  continue: 'It’s updated again.',
  remove: 'It’s being deleted in Wrike.',
  replay: 'It’s being sent again.',
};

/** What's asked before a mirrored project is changed. */
function questionOf(mirror: WrikeMirror, step: MirrorStep): Omit<Question, 'act'> {
  const name = mirrorName(mirror);
  switch (step) {
    case 'stop':
      return {
        title: `Stop updating ${name} in Wrike?`,
        text: 'It stays in Wrike as it is now. If the business’s account is deleted here, it’s deleted there, too.',
        yes: 'Stop',
      };
    case 'continue':
      return {
        title: `Update ${name} in Wrike again?`,
        text: 'Wrike gets everything that changed here since.',
        yes: 'Continue',
      };
    case 'remove':
      return {
        title: `Delete ${name} in Wrike?`,
        text: 'It goes to Wrike’s recycle bin with its tasks and with what people in Wrike added. Nothing changes here.',
        yes: 'Delete in Wrike',
        danger: true,
      };
    default:
      return {
        title: `Send ${name} again?`,
        text: mirror.is_gone
          ? 'It isn’t in Wrike anymore, so it’s created again with its tasks.'
          : 'We try what Wrike refused once more.',
        yes: 'Send again',
      };
  }
}

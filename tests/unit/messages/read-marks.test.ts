import { expect, test } from 'vitest';
import { createReadMarks } from '#features/messages/conversation/following.ts';
import { pass, stopTime } from '../../fixtures/conversation-tab.ts';

stopTime();

test('What was read while an earlier mark was being saved is saved too when the page closes', async () => {
  const saved: number[] = [];
  const answers: (() => void)[] = [];
  const marks = createReadMarks(0, (seq) => {
    saved.push(seq);
    return new Promise<void>((resolve) => answers.push(resolve));
  });
  marks.markRead(1);
  marks.markRead(2);
  marks.close();
  expect(saved).toEqual([1]);
  answers[0]?.();
  await pass(0);
  expect(saved).toEqual([1, 2]);
  answers[1]?.();
  await pass(10_000);
  expect(saved).toEqual([1, 2]);
});

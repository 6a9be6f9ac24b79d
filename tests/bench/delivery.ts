import setup from '../fixtures/cluster.ts';
import { type Delivered, deliver } from '../fixtures/delivery.ts';
import type { BenchPart } from './parts.ts';
import { type Figure, figure, none } from './report.ts';

/** The fixed seed makes the same cuts in every run. */
const PLAN = {
  messages: 1_000,
  writers: 5,
  readers: 3,
  seed: 20_261_121,
  cut: 0.1,
  patience: 300_000,
};

/** Whether each of 1,000 messages by five writers reaches every reader over a flaky connection. */
export const delivery: BenchPart = async ({ show }) => {
  const end = await setup();
  try {
    show('Messages over a connection that is cut', figuresOf(await deliver(PLAN)));
  } finally {
    await end();
  }
};

function figuresOf({ stored, shown, written, disorder, cuts, seconds }: Delivered): Figure[] {
  const ids = stored.map(({ id }) => id).join();
  const wrong = shown.filter(({ messages }) => messages.map(({ id }) => id).join() !== ids);
  const shuffled = [...written].filter(([by, words]) => {
    const said = stored.filter((each) => each.by === by).map(({ body }) => body);
    return said.join('\n') !== words.join('\n');
  });
  return [
    none('messages that were written and not stored', PLAN.messages - stored.length),
    none(`readers of ${shown.length} without each once and in order`, wrong.length),
    none(`writers of ${PLAN.writers} whose words are not in their order`, shuffled.length),
    none('moments at which a page showed one twice or out of order', disorder.length),
    figure('requests that were cut', cuts.requests),
    figure('sockets that were cut', cuts.sockets),
    figure('until everybody had everything', seconds, 's'),
  ];
}

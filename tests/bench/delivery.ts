import setup from '../fixtures/database.ts';
import { type Delivered, deliver } from '../fixtures/delivery.ts';
import type { BenchPart } from './parts.ts';
import type { Figure } from './report.ts';

const MESSAGES = 1_000;
const WRITERS = 5;
const READERS = 3;
/** The train ride: the same one in every run. */
const SEED = 20_261_121;
const CUT = 0.1;

/** Each of a thousand messages from five writers at every reader, over a connection that is cut. */
export const delivery: BenchPart = async ({ print }) => {
  const end = await setup();
  try {
    const delivered = await deliver({
      messages: MESSAGES,
      writers: WRITERS,
      readers: READERS,
      seed: SEED,
      cut: CUT,
      patience: 300_000,
    });
    const figures = figuresOf(delivered);
    print('Messages over a connection that is cut', figures);
    return { delivery: figures };
  } finally {
    await end();
  }
};

function figuresOf({ stored, shown, written, disorder, cuts, seconds }: Delivered): Figure[] {
  const ids = stored.map(({ id }) => id);
  const right = shown.filter(
    ({ messages }) =>
      messages.length === ids.length && messages.every(({ id }, n) => id === ids[n]),
  );
  const asWritten = [...written].filter(([by, words]) => {
    const said = stored.filter((each) => each.by === by).map(({ body }) => body);
    return said.length === words.length && said.every((body, n) => body === words[n]);
  });
  return [
    {
      what: 'messages that were written and not stored',
      value: MESSAGES - stored.length,
      unit: '',
      budget: 0,
    },
    {
      what: `readers of ${shown.length} without each once and in order`,
      value: shown.length - right.length,
      unit: '',
      budget: 0,
    },
    {
      what: `writers of ${WRITERS} whose words are not in their order`,
      value: written.size - asWritten.length,
      unit: '',
      budget: 0,
    },
    {
      what: 'moments at which a page showed one twice or out of order',
      value: disorder.length,
      unit: '',
      budget: 0,
    },
    { what: 'requests that were cut', value: cuts.requests, unit: '' },
    { what: 'sockets that were cut', value: cuts.sockets, unit: '' },
    { what: 'until everybody had everything', value: seconds, unit: 's' },
  ];
}

import { beforeAll, describe, expect, test } from 'vitest';
import { type Delivered, deliver } from '../../../fixtures/delivery.ts';

describe('Messages of three people over a connection that is cut again and again', () => {
  let delivered: Delivered;
  beforeAll(async () => {
    delivered = await deliver({
      messages: 60,
      writers: 3,
      readers: 3,
      seed: 20_261_121,
      cut: 0.15,
      patience: 90_000,
      // Short enough that some sockets are cut before a fast machine finishes.
      sockets: [100, 900],
    });
  }, 180_000);

  test('The connection was cut, or this would prove nothing', () => {
    expect(delivered.cuts.requests).toBeGreaterThan(5);
    expect(delivered.cuts.sockets).toBeGreaterThan(2);
  });

  test('Each is stored once, those of one writer in the order in which they were written', () => {
    const { stored, written } = delivered;
    expect(stored).toHaveLength(60);
    for (const [by, words] of written) {
      expect(stored.filter((each) => each.by === by).map(({ body }) => body)).toEqual(words);
    }
  });

  test('Each reader has each of them once, in the same order', () => {
    const { stored, shown } = delivered;
    const ids = stored.map(({ id }) => id);
    for (const { who, messages } of shown) {
      expect(
        messages.map(({ id }) => id),
        who,
      ).toEqual(ids);
    }
  });

  test('At no moment did a page show one twice or out of order', () => {
    expect(delivered.disorder).toEqual([]);
  });
});

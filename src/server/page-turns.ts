/**
 * Lets a few pages be made at a time, in the order in which they were asked for. All together, they'd
 * take as long, and what each of them holds would be in memory for so long that V8 keeps it until its
 * next big collection (decision 125).
 * @param most how many at a time
 * @param patience in ms; a page that has waited for so long is made anyway, so that slow pages don't
 * hold up others
 * @returns a function that does some work in its turn, and returns or throws what the work does
 */
export function createTurns(
  most: number,
  patience: number,
): <Result>(work: () => Result | Promise<Result>) => Promise<Result> {
  let running = 0;
  const waiting = new Set<() => void>();

  const turn = () =>
    new Promise<void>((resolve) => {
      const begin = () => {
        clearTimeout(timer);
        waiting.delete(begin);
        running += 1;
        resolve();
      };
      const timer = setTimeout(begin, patience);
      waiting.add(begin);
    });

  return async (work) => {
    if (running < most) running += 1;
    else await turn();
    try {
      return await work();
    } finally {
      running -= 1;
      const [next] = waiting;
      if (running < most) next?.();
    }
  };
}

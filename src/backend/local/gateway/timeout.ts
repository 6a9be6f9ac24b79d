/**
 * Returns the result of `work`, or throws `limit.error()` after `limit.ms`. The time starts when
 * `limit.from` resolves. `work` isn't canceled.
 */
export async function withTimeout<Result>(
  work: Promise<Result>,
  limit: { ms: number; error: () => Error; from?: Promise<void> },
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  const late = new Promise<never>((_, reject) => {
    const start = () => {
      if (!hasEnded) timer = setTimeout(() => reject(limit.error()), limit.ms);
    };
    if (limit.from) void limit.from.then(start);
    else start();
  });
  return Promise.race([work, late]).finally(() => {
    hasEnded = true;
    clearTimeout(timer);
  });
}

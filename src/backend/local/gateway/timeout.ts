/**
 * Gives the result of `work`, or rejects once it takes too long. `work` isn't stopped then, but its
 * result is ignored.
 * @param limit.ms how long it may take.
 * @param limit.error what is thrown.
 * @param limit.from resolves when the time starts; at once unless said otherwise.
 */
export async function withTimeout<Result>(
  work: Promise<Result>,
  limit: { ms: number; error: Error; from?: Promise<void> },
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  const late = new Promise<never>((_, reject) => {
    const start = () => {
      if (!hasEnded) timer = setTimeout(() => reject(limit.error), limit.ms);
    };
    if (limit.from) void limit.from.then(start);
    else start();
  });
  return Promise.race([work, late]).finally(() => {
    hasEnded = true;
    clearTimeout(timer);
  });
}

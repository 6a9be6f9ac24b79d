/** Limits how long no data arrives, for files, which may take long on a slow connection. */
import { type Fetch, type PatientOptions, patientFetch } from './http.ts';

/** A signal that aborts after a period without data. `restart` starts the period over. */
export function limitSilence(milliseconds: number): {
  signal: AbortSignal;
  restart: () => void;
  stop: () => void;
} {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout>;
  const stop = () => clearTimeout(timer);
  const restart = () => {
    stop();
    timer = setTimeout(
      () => controller.abort(new DOMException('No data was received', 'TimeoutError')),
      milliseconds,
    );
  };
  restart();
  return { signal: controller.signal, restart, stop };
}

/** Whether a request downloads a stored file, which may take long on a slow connection. */
const isDownload = (method: string, url: string) =>
  method === 'GET' && url.includes('/storage/v1/object/');

/** Wraps a response so that each chunk of its body restarts the time limit. */
function limitBodySilence(answer: Response, silence: ReturnType<typeof limitSilence>): Response {
  silence.restart();
  if (!answer.body) {
    silence.stop();
    return answer;
  }
  const parts = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      silence.restart();
      controller.enqueue(part);
    },
    flush: silence.stop,
  });
  return new Response(answer.body.pipeThrough(parts), answer);
}

/**
 * A `patientFetch` for supabase-js. A download has a limit for each pause in it, in milliseconds, and
 * none for its total time.
 */
export function fetchWithDownloads(
  options: PatientOptions & { timeout: number; silence: number },
): Fetch {
  const { timeout, silence: longest, ...rest } = options;
  const [send, download] = [patientFetch({ ...rest, timeout }), patientFetch(rest)];
  return async (input, init) => {
    const request = input instanceof Request ? input : null;
    const method = init?.method ?? request?.method ?? 'GET';
    if (!isDownload(method, request ? request.url : String(input))) return send(input, init);
    const silence = limitSilence(longest);
    const signals = [init?.signal, silence.signal].filter((each) => each instanceof AbortSignal);
    try {
      const answer = await download(input, { ...init, signal: AbortSignal.any(signals) });
      return limitBodySilence(answer, silence);
    } catch (error) {
      silence.stop();
      throw error;
    }
  };
}

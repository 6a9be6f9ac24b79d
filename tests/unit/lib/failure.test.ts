import { describe, expect, test } from 'vitest';
import { answered } from '#lib/failure.ts';

describe('The answer to a request', () => {
  test('A page that fails halfway fails before anything of it is sent', async () => {
    const halfway = new ReadableStream<string>({
      start(controller) {
        controller.enqueue('<h1>Hello');
        controller.error(new Error('The rest is missing'));
      },
    }).pipeThrough(new TextEncoderStream());
    await expect(answered(new Response(halfway), undefined, [])).rejects.toThrow(
      'The rest is missing',
    );
  });

  test('A page arrives whole, is kept by no cache, and brings the cookies of the session', async () => {
    const page = new Response('<h1>Hello</h1>', { headers: { 'Content-Type': 'text/html' } });
    const answer = await answered(page, 404, ['trellis-session=; Max-Age=0']);
    expect(await answer.text()).toBe('<h1>Hello</h1>');
    expect(answer.status).toBe(404);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/html',
      'cache-control': 'private, no-store',
      'set-cookie': 'trellis-session=; Max-Age=0',
    });
  });

  test('An answer without a body stays one', async () => {
    const redirect = new Response(null, { status: 302, headers: { Location: '/login' } });
    expect((await answered(redirect, undefined, [])).body).toBeNull();
  });
});

import { expect, test } from 'vitest';
import { readSeatForm } from '#data/seat-form.ts';

test.each([
  'application/json',
  'text/plain',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
])('What isn’t a form says nothing, instead of failing (%s)', async (type) => {
  const request = new Request('http://127.0.0.1/purchase', {
    method: 'POST',
    body: '{"code": "OLIVE-7K4MQ"}',
    headers: { 'content-type': type },
  });
  expect([...(await readSeatForm(request))]).toEqual([]);
});

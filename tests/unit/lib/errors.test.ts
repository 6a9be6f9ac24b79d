import {
  AuthApiError,
  AuthRetryableFetchError,
  AuthWeakPasswordError,
} from '@supabase/supabase-js';
import { describe, expect, test } from 'vitest';
import { toAuthError } from '#lib/auth-errors.ts';
import { AppError, dataOf, SENTENCES, toAppError } from '#lib/errors.ts';

describe('What a person reads when something fails', () => {
  test('A refusal for a while says how many seconds, where the backend did', () => {
    const refusal = { code: 'PT429', message: 'Try again in 5 minutes.', hint: '' };
    expect(toAppError({ ...refusal, details: '261' }).retryAfter).toBe(261);
    expect(toAppError({ ...refusal, details: null }).retryAfter).toBeUndefined();
    expect(toAppError({ ...refusal, code: '22023', details: '261' }).retryAfter).toBeUndefined();
  });

  test.each([
    ['22023', 'Keep it to 16 characters.', 'invalid'],
    ['42501', 'You don’t belong to this business.', 'denied'],
    ['P0002', 'We can’t find this attempt.', 'not-found'],
    ['55000', 'This attempt is finished.', 'conflict'],
    ['42501', 'You can’t write here.', 'denied'],
    ['PT429', 'You’ve added a lot of businesses today. Try again in 3 hours.', 'rate-limited'],
  ] as const)('A sentence of ours under %s reaches the person', (code, message, kind) => {
    const error = toAppError({ code, message, details: null, hint: null });
    expect([error.kind, error.message]).toEqual([kind, message]);
  });

  test.each([
    ['23505', 'duplicate key value violates unique constraint "businesses_pkey"', 'conflict'],
    ['42501', 'new row violates row-level security policy for table "answers"', 'denied'],
    ['42501', 'permission denied for table rate_limits', 'denied'],
    ['23514', 'new row for relation "answers" violates check constraint', 'invalid'],
    ['22P02', 'invalid input syntax for type uuid: "x"', 'invalid'],
    ['42P01', 'relation "public.nothing" does not exist', 'unexpected'],
    ['XX000', 'internal error at 0x7f', 'unexpected'],
    ['54000', 'index row size 2800 exceeds btree version 4 maximum 2704', 'unexpected'],
    ['PT401', 'Your session has ended. Sign in again.', 'signed-out'],
    ['PGRST301', 'JWT expired', 'signed-out'],
  ] as const)('What the database mutters under %s does not', (code, message, kind) => {
    const error = toAppError({ code, message, details: null, hint: null });
    expect([error.kind, error.message]).toEqual([kind, SENTENCES[kind]]);
  });

  test('An error knows the field that it belongs to', () => {
    const given = { code: '22023', message: 'Too long.', hint: 'postal_code' };
    expect(toAppError(given).field).toBe('postal_code');
    expect(toAppError({ ...given, hint: 'Perhaps you meant "x".' }).field).toBeUndefined();
  });

  test.each([
    'Failed to fetch',
    'fetch failed',
    'NetworkError when attempting to fetch resource.',
    'Load failed',
  ])('A lost connection is told as one, however the browser says it: %s', (message) => {
    expect(toAppError(new TypeError(message)).kind).toBe('network');
    // postgrest-js returns a failed fetch as an error with an empty code.
    expect(toAppError({ message: `TypeError: ${message}`, code: '', details: '' }).kind).toBe(
      'network',
    );
  });

  test.each([
    [new AuthApiError('Invalid login', 400, 'invalid_credentials'), 'invalid', 'password'],
    [new AuthWeakPasswordError('weak', 422, ['pwned']), 'invalid', 'password'],
    [new AuthApiError('expired', 403, 'otp_expired'), 'invalid', 'code'],
    [new AuthApiError('slow down', 429, 'over_email_send_rate_limit'), 'rate-limited', undefined],
  ])('What the auth service says has a sentence and a field of ours: %s', (thrown, kind, field) => {
    const error = toAuthError(thrown);
    expect([error.kind, error.field]).toEqual([kind, field]);
    expect([thrown.message, ...Object.values(SENTENCES)]).not.toContain(error.message);
  });

  test.each([
    [new AuthRetryableFetchError('bad gateway', 502), undefined, 'network'],
    [{ message: 'upstream' }, 503, 'network'],
    [{ message: 'boom' }, 500, 'unexpected'],
    ['boom', undefined, 'unexpected'],
    [null, undefined, 'unexpected'],
  ])('A backend that is away is no reason to blame the person: %s', (thrown, status, kind) => {
    expect(toAppError(thrown, status).kind).toBe(kind);
  });

  test('An AppError stays the one it was', () => {
    const error = new AppError('conflict', 'Somebody else was faster.');
    expect(toAppError(error)).toBe(error);
  });

  test('An answer gives its data, and nothing is not data', () => {
    expect(dataOf({ data: 0, error: null })).toBe(0);
    expect(() => dataOf({ data: null, error: null })).toThrow(SENTENCES['not-found']);
    expect(() => dataOf({ data: null, error: { message: 'x' }, status: 403 })).toThrow(
      SENTENCES.denied,
    );
  });
});

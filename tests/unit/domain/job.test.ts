import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { JOB_LABELS, jobText } from '#domain/job.ts';

test('Every kind of background work has a name in words, and no name is left over', () => {
  const folder = new URL('../../../src/backend/supabase/schemas/', import.meta.url);
  const kinds = globSync('**/*.sql', { cwd: folder }).flatMap((file) => {
    const sql = readFileSync(new URL(file, folder), 'utf8');
    return [
      ...sql.matchAll(/insert into private\.jobs \(kind\b[^)]*\)\s*(?:values|select)\W+'?(\w+)'/g),
    ].map(([, kind]) => kind);
  });
  expect([...new Set(kinds)].sort()).toEqual(Object.keys(JOB_LABELS).sort());
});

test('A job is called what it does, and an email what it’s about', () => {
  expect(jobText({ kind: 'queue_wrike', template: null })).toBe('Find changes for Wrike');
  expect(jobText({ kind: 'mail', template: 'password-changed' })).toBe('Email: password changed');
  expect(jobText({ kind: 'count_stars', template: null })).toBe('Count stars');
});

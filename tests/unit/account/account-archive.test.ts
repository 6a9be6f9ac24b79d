import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, test, vi } from 'vitest';
import type { Export } from '#data/account.ts';
import { makeArchive } from '#features/account/archive.ts';
import { deviceName } from '#features/account/device-name.ts';
import { createExportStore } from '#features/account/export-store.ts';
import { qrPath } from '#features/account/qr-path.ts';
import { factsOf } from '#session/session-facts.ts';
import { $session, beginSession } from '#stores/session.ts';
import { dbAnswering } from '../../fixtures/db-answering.ts';

const file = (path: string, name: string) => ({ bucket: 'project-files', path, name, size: 3 });
const everything: Export = {
  made_at: '2026-11-21T12:00:00Z',
  account: { email: 'rosa@example.com' },
  sessions: [],
  second_factors: [],
  tables: { profiles: [{ full_name: 'Rosa Marsh' }], focus_areas: [] },
  files: [file('b/p/11111111-a', '../../etc/passwd'), file('b/p/22222222-b', 'Plan: final?.pdf')],
};
const three = new Uint8Array([1, 2, 3]);

async function open(archive: Blob) {
  return unzipSync(new Uint8Array(await archive.arrayBuffer()));
}

describe('An archive of everything about somebody', () => {
  test('It has all of it as JSON, the tables as CSV and the files, and no empty table', async () => {
    const told: string[] = [];
    const archive = await makeArchive(
      everything,
      async () => three,
      ({ done, of }) => told.push(`${done}/${of}`),
    );
    const entries = await open(archive);
    expect(Object.keys(entries)).toEqual([
      'README.txt',
      'everything.json',
      'tables/profiles.csv',
      'files/project-files/b/p/11111111 __.._etc_passwd',
      'files/project-files/b/p/22222222 Plan_ final_.pdf',
    ]);
    expect(strFromU8(entries['README.txt'] ?? new Uint8Array())).toContain('Times are in UTC');
    const json = entries['everything.json'] ?? new Uint8Array();
    expect(JSON.parse(strFromU8(json))).toEqual(everything);
    expect(entries['files/project-files/b/p/22222222 Plan_ final_.pdf']).toEqual(three);
    expect(told).toEqual(['0/2', '1/2', '2/2']);
  });

  test('A file that is gone is named, and does not stop the rest', async () => {
    const archive = await makeArchive(
      everything,
      async ({ path }) => (path.endsWith('a') ? null : three),
      () => {},
    );
    const entries = await open(archive);
    expect(strFromU8(entries['missing.txt'] ?? new Uint8Array())).toContain('b/p/11111111-a');
    expect(Object.keys(entries)).toHaveLength(5);
  });
});

describe('Making it', () => {
  function site(download: (path: string) => unknown) {
    const rpc = vi.fn(async () => ({ data: everything, error: null }));
    const read = vi.fn(async (path: string) => download(path));
    const db = dbAnswering({ rpc, storage: { from: () => ({ download: read }) } });
    return { rpc, read, store: createExportStore(async () => db) };
  }
  const content = { data: new Blob([three]), error: null };

  test('After a lost connection another try goes on where it stopped', async () => {
    let online = false;
    const { store, rpc, read } = site((path) =>
      path.endsWith('a') || online
        ? content
        : { data: null, error: { message: 'Failed to fetch' } },
    );
    await store.make();
    expect(store.$export.get()).toMatchObject({ state: 'failed', error: { kind: 'network' } });
    online = true;
    await store.make();
    expect(store.$export.get()).toMatchObject({
      state: 'ready',
      name: 'everything-about-me-2026-11-21.zip',
    });
    expect(rpc).toHaveBeenCalledTimes(1);
    expect(read.mock.calls.flat()).toEqual(['b/p/11111111-a', 'b/p/22222222-b', 'b/p/22222222-b']);
  });

  test('A session that is over is asked for again', async () => {
    beginSession(factsOf({ user_id: 'rosa' }));
    const { store, rpc } = site(() => content);
    rpc.mockResolvedValueOnce({
      data: null,
      error: { code: 'PGRST301', message: 'JWT expired' },
    } as never);
    await store.make();
    expect($session.get().state).toBe('ended');
    expect(store.$export.get()).toMatchObject({ state: 'failed', error: { kind: 'signed-out' } });
  });
});

describe('What a browser calls itself', () => {
  test('It is said in words', () => {
    const chrome = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';
    expect(deviceName(chrome)).toBe('Chrome on Windows');
    expect(deviceName(`${chrome} Edg/140.0`)).toBe('Edge on Windows');
    expect(
      deviceName(
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1',
      ),
    ).toBe('Safari on an iPhone');
    expect(deviceName('node')).toBe('An unknown browser');
    expect(deviceName(null)).toBe('An unknown browser');
  });
});

test('A QR code is one path inside its square, with a quiet border', () => {
  const { size, path } = qrPath(`otpauth://totp/Trellis:rosa@example.com?secret=${'A'.repeat(32)}`);
  expect(size).toBeGreaterThan(30);
  const starts = [...path.matchAll(/M(\d+) (\d+)h(\d+)/g)].map((run) => run.slice(1).map(Number));
  for (const [x = 0, y = 0, width = 0] of starts) {
    expect(x).toBeGreaterThanOrEqual(4);
    expect(y).toBeGreaterThanOrEqual(4);
    expect(x + width).toBeLessThanOrEqual(size - 4);
  }
  // The finder pattern at the top left is seven modules wide.
  expect(path).toMatch(/^M4 4h7v1h-7z/);
});

import { expect, test, vi } from 'vitest';
import { forgetPrivate } from '#lib/browser/forget-private.ts';
import { keepRecentPage, recentPages } from '#lib/browser/recent-pages.ts';
import { memoryBrowser } from '../../fixtures/memory-browser.ts';

const at = (pathname: string, search = '') => ({ pathname, search });

test('The latest page is first and once, without the count, the product and filters', () => {
  vi.stubGlobal('localStorage', memoryBrowser().openTab().storage);
  keepRecentPage('maria', at('/dashboard/projects', '?status=blocked'), '(3) Projects · Trellis');
  keepRecentPage(
    'maria',
    at('/dashboard/toolbox', '?item=cash-forecast'),
    'Cash · forecast · Trellis',
  );
  keepRecentPage('maria', at('/dashboard/projects'), 'Projects · Trellis');
  expect(recentPages('maria')).toEqual([
    { href: '/dashboard/projects', title: 'Projects' },
    { href: '/dashboard/toolbox?item=cash-forecast', title: 'Cash · forecast' },
  ]);
  for (let n = 0; n < 20; n += 1) keepRecentPage('maria', at(`/dashboard/${n}`), 'A · Trellis');
  expect(recentPages('maria')).toHaveLength(8);
});

test('Nobody sees another person’s, and signing out removes them all', () => {
  const { storage } = memoryBrowser().openTab();
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('sessionStorage', memoryBrowser().openTab().storage);
  keepRecentPage('maria', at('/dashboard'), 'Home · Trellis');
  expect(recentPages('ruth')).toEqual([]);
  keepRecentPage('ruth', at('/dashboard/coaching'), 'Clients · Trellis');
  forgetPrivate();
  expect([...recentPages('maria'), ...recentPages('ruth')]).toEqual([]);
});

test('What someone else put there leads nowhere else, and a browser may deny storage', () => {
  const { storage } = memoryBrowser().openTab();
  vi.stubGlobal('localStorage', storage);
  const bad = [{ href: '//evil.test', title: 'A' }, { href: 'javascript:1', title: 'B' }, null, 3];
  for (const kept of [JSON.stringify(bad), '{', '"x"']) {
    storage?.setItem('trellis-recent:maria', kept);
    expect(recentPages('maria')).toEqual([]);
  }
  vi.stubGlobal('localStorage', undefined);
  expect(() => keepRecentPage('maria', at('/dashboard'), 'Home')).not.toThrow();
  expect(recentPages('maria')).toEqual([]);
});

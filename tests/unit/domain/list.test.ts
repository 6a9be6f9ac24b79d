import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { businessFilter } from '#domain/business-list.ts';
import type { Place } from '#domain/list.ts';
import { isNarrowed, PROJECT_SORTS, projectFilter, statusesOf } from '#domain/project-list.ts';
import { toolFilter } from '#domain/tool.ts';

const codecs = { projects: projectFilter, toolbox: toolFilter, businesses: businessFilter };
const NAMES = ['q', 'status', 'area', 'sort', 'view', 'page', 'type', 'level', 'mark', 'archived'];
const VALUES = ['', 'open', 'done', 'all', 'due', 'board', 'web-design', 'saved', 'guide', '3'];

/** Query strings with known parameters, and valid or arbitrary values. */
const addresses = fc
  .array(
    fc.tuple(
      fc.constantFrom(...NAMES),
      fc.oneof(fc.constantFrom(...VALUES), fc.string({ unit: 'grapheme' })),
    ),
  )
  .map((pairs) => new URLSearchParams(pairs));

const places: fc.Arbitrary<Place> = fc.record({
  way: fc.constantFrom('after', 'before'),
  key: fc.string({ unit: 'grapheme', maxLength: 40 }),
  id: fc.uuid(),
});

describe.each(Object.entries(codecs))('The address of the list of %s', (_name, codec) => {
  test('without filters is the plain one', () => {
    expect(codec.write(codec.read(new URLSearchParams()) as never)).toBe('');
  });

  test('whatever it says is read, and written it says the same', () => {
    fc.assert(
      fc.property(addresses, (params) => {
        const filter = codec.read(params);
        const address = codec.write(filter as never);
        expect(codec.read(new URLSearchParams(address))).toEqual(filter);
      }),
    );
  });
});

describe('The address of the list of projects', () => {
  const blank = projectFilter.read(new URLSearchParams());

  test('keeps any place in the list, and what was chosen beside it', () => {
    fc.assert(
      fc.property(places, fc.constantFrom(...PROJECT_SORTS), (place, sort) => {
        const filter = { ...blank, sort, place };
        const address = projectFilter.write(filter);
        expect(projectFilter.read(new URLSearchParams(address))).toEqual(filter);
      }),
    );
  });

  test('says what was chosen, and tells whether the list is narrowed', () => {
    const filter = { ...blank, words: 'cash & flow', status: 'done', sort: 'due' } as const;
    expect(projectFilter.write(filter)).toBe('?q=cash+%26+flow&status=done&sort=due');
    expect([isNarrowed(blank), isNarrowed(filter)]).toEqual([false, true]);
  });

  test('that means nothing is read as not said', () => {
    const address = 'status=lost&sort=luck&view=tree&area=Robert%27;--&page=behind.1.2';
    const filter = projectFilter.read(new URLSearchParams(address));
    expect(filter).toEqual(blank);
    expect(statusesOf(filter)).not.toContain('done');
    expect(statusesOf({ ...filter, view: 'board' })).toContain('done');
  });
});

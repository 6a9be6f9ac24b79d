import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { ProjectStart } from '#data/projects.ts';
import { projectSchema } from '#features/projects/project/project-schema.ts';
import { projectDraft } from '#features/projects/project/project-start.ts';
import { names, read } from '../content/content-files.ts';

const start: ProjectStart = {
  areas: [{ key: 'people-management', name: 'People management' }],
  engagements: [],
  from: {
    area_key: 'people-management',
    practice: 'Written roles',
    action: 'Write a role sheet for one position. You are done when both of you have signed it.',
    score: { score: 24.6, on: '2026-11-10T18:00:00Z' },
  },
};
const where = { area: '', today: '2026-11-21', timeZone: 'America/Denver' };

describe('A project that starts from a recommended action', () => {
  test('is called by the practice, and its outcome is the action', () => {
    expect(projectDraft({ ...where, start })).toEqual({
      title: 'Written roles',
      areaKey: 'people-management',
      outcome: start.from?.action,
      baseline: 'People management scored 25 out of 100 on November 10, 2026.',
      startOn: '2026-11-21',
      dueOn: '2026-12-21',
      engagementId: '',
    });
  });

  test('has a title for a board card and fits the form, whichever action of the quiz it is', () => {
    const versions = names('quiz').filter((file) => file.startsWith('version-'));
    const questions = versions.flatMap(
      (file) =>
        parse(read(`quiz/${file}`)).questions as Record<'area' | 'practice' | 'action', string>[],
    );
    expect(questions.length).toBeGreaterThanOrEqual(32);
    for (const { area, practice, action } of questions) {
      const from = { area_key: area, practice, action, score: null };
      const draft = projectDraft({ ...where, start: { ...start, from } });
      expect(draft.title?.split(' ').length, draft.title).toBeLessThanOrEqual(6);
      const blank = { title: '', areaKey: '', outcome: '', baseline: '', engagementId: '' };
      expect(() => v.parse(projectSchema, { ...blank, ...draft })).not.toThrow();
    }
  });

  test.each([
    ['', { engagementId: '' }],
    ['people-management', { areaKey: 'people-management', engagementId: '' }],
    ['astrology', { engagementId: '' }],
  ])('is blank without one, except for the area of the address: %s', (area, draft) => {
    expect(projectDraft({ ...where, area, start: { ...start, from: null } })).toEqual(draft);
  });
});

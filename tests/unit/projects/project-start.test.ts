import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { ProjectStart } from '#data/projects.ts';
import { projectSchema } from '#features/projects/project/project-schema.ts';
import {
  firstSteps,
  projectDraft,
  stepsIn,
  stepsProblem,
} from '#features/projects/project/project-start.ts';
import { names, read } from '../content/content-files.ts';

const start: ProjectStart = {
  areas: [{ key: 'people-management', name: 'People management' }],
  engagements: [],
  from: {
    area_key: 'people-management',
    practice: 'Written roles',
    action: 'Write a role sheet for one position. You are done when both of you have signed it.',
    goal: 'We have a written page for each role',
    score: { score: 24.6, on: '2026-11-10T18:00:00Z' },
  },
};
const where = { area: '', today: '2026-11-21', timeZone: 'America/Denver' };

describe('A project that starts from a recommended action', () => {
  test('is called by the practice, and its outcome is how to tell that it worked', () => {
    expect(projectDraft({ ...where, start })).toEqual({
      title: 'Written roles',
      areaKey: 'people-management',
      outcome:
        'Done when both of you have signed it. We can say: “We have a written page for each role.”',
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
        parse(read(`quiz/${file}`)).questions as (Record<'area' | 'practice' | 'action', string> & {
          anchors: string[];
        })[],
    );
    expect(questions.length).toBeGreaterThanOrEqual(32);
    for (const { area, practice, action, anchors } of questions) {
      const from = { area_key: area, practice, action, goal: anchors[3] ?? '', score: null };
      const filled = { ...start, from };
      const draft = projectDraft({ ...where, start: filled });
      // Each has a first step, and none of them is the measure.
      const steps = stepsIn(firstSteps(filled));
      expect(steps.length, action).toBeGreaterThan(0);
      expect(steps.join(' '), action).not.toMatch(/done when|^\W|undefined/i);
      expect(stepsProblem(steps.join('\n')), action).toBeNull();
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

test('Steps are lines: blank ones don’t count, and too many or too long ones are answered', () => {
  expect(firstSteps(start)).toBe('Write a role sheet for one position');
  expect(stepsIn(' Call the bank \n\n  Send the forms')).toEqual([
    'Call the bank',
    'Send the forms',
  ]);
  expect(stepsProblem('a\n'.repeat(20))).toBeNull();
  expect(stepsProblem('a\n'.repeat(21))).toBe(
    'Start with at most 20 steps. You can add more later.',
  );
  expect(stepsProblem('a'.repeat(201))).toBe('Keep each step to 200 characters.');
});

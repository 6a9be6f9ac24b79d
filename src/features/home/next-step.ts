/** What a person does next on their dashboard: one thing, with its reason. */
import type { Skills } from '#data/attempts.ts';
import { hrefFor } from '#lib/routes.ts';

export interface NextStep {
  title: string;
  reason: string;
  action: { label: string; href: string };
}

/** How long one question takes, in seconds: an estimate, the one behind "about 15 minutes" elsewhere. */
const SECONDS_A_QUESTION = 28;
const QUESTIONS = 32;

const minutes = (questions: number) =>
  Math.max(1, Math.round((questions * SECONDS_A_QUESTION) / 60));
const inMinutes = (count: number) => (count === 1 ? 'about a minute' : `about ${count} minutes`);

/** Chooses it from the skills of the current business. `today` is an ISO date or time. */
export function nextStep(skills: Skills, today: string): NextStep {
  const quiz = hrefFor('/dashboard/skills/quiz');
  const open = skills.open_attempt;
  if (open && open.answered > 0 && open.answered < open.asked) {
    return {
      title: 'Go on with your skills quiz',
      reason: `${open.answered} of ${open.asked} questions are answered; the rest takes ${inMinutes(minutes(open.asked - open.answered))}.`,
      action: { label: 'Go on', href: hrefFor('/dashboard/skills/quiz/[id]', { id: open.id }) },
    };
  }
  if (open && open.answered > 0) {
    return {
      title: 'See your results',
      reason: 'Every question is answered. Finish the quiz, and your skills are worked out.',
      action: { label: 'Finish', href: hrefFor('/dashboard/skills/quiz/[id]', { id: open.id }) },
    };
  }
  const { latest } = skills;
  if (!latest) {
    return {
      title: 'Find out where your business stands',
      reason: `${QUESTIONS} questions about eight skills, ${inMinutes(minutes(QUESTIONS))}. You can stop at any time and go on later.`,
      action: { label: 'Start the quiz', href: quiz },
    };
  }
  if (latest.attempt.kind === 'first_look') {
    return {
      title: 'Take the full quiz',
      reason:
        'The first look asked one question a skill. The full quiz asks four, and keeps what you answered.',
      action: { label: 'Start the quiz', href: quiz },
    };
  }
  const retake = latest.attempt.retake_after;
  if (retake !== null && retake <= today) {
    return {
      title: 'Take the quiz again',
      reason: 'Your last one is more than 90 days old. See what has changed since.',
      action: { label: 'Start the quiz', href: quiz },
    };
  }
  return (
    firstRecommendation(latest) ?? {
      title: 'Look at your results',
      reason: 'Too few questions were answered to recommend an area. Your answers are kept.',
      action: {
        label: 'See the results',
        href: hrefFor('/dashboard/skills/quiz/[id]', { id: latest.attempt.id }),
      },
    }
  );
}

function firstRecommendation(latest: NonNullable<Skills['latest']>): NextStep | null {
  const first = latest.recommendations.find(({ position }) => position === 1);
  const area = latest.version.areas.find(({ key }) => key === first?.area_key);
  const weakest = latest.version.questions.find(({ key }) => key === first?.reason_question_key);
  if (!first || !area) return null;
  return {
    title: `Work on ${area.name.toLowerCase()}`,
    reason: weakest
      ? `Your weakest practice there: ${weakest.practice}. ${weakest.action}`
      : 'It is where an hour of work changes most.',
    action: {
      label: 'See how',
      href: hrefFor('/dashboard/skills/quiz/[id]', { id: latest.attempt.id }),
    },
  };
}

import { useStore } from '@nanostores/react';
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Scored } from '#domain/scoring.ts';
import type { PreviewTool } from '#domain/tool.ts';
import type { SaveStatus } from '#lib/save-status.ts';
import { Button } from '#ui/Button.tsx';
import { classNames } from '#ui/class-names.ts';
import { useSay } from '#ui/InLanguage.tsx';
import type { Ending } from './ending.ts';
import { Question } from './Question.tsx';
import { QuestionMap } from './QuestionMap.tsx';
import { type QuizState, type QuizStore, statusOf } from './quiz-store.ts';
import { type Step, stepId } from './steps.ts';
import { useQuizKeys } from './use-quiz-keys.ts';

export interface ResultProps {
  store: QuizStore;
  scored: Scored;
  heading: RefObject<HTMLHeadingElement | null>;
  /** The tools for the quiz's practices. */
  tools: readonly PreviewTool[];
}

interface QuizProps {
  /** Creates the store; on the server too, where it's only used to render. */
  open: () => QuizStore;
  /** What's needed after the first answer; null until it's loaded. */
  ending: Ending | null;
  /** Called when it's needed, or soon will be. */
  onLoad?: () => void;
  /** What's shown before the first answer, with a link to `#questions`. */
  intro?: ReactNode;
  /** For a preview of the result. */
  tools?: readonly PreviewTool[];
}

/** The id of the first question, where the intro's link leads. */
const QUESTIONS = 'questions';

const doNothing = () => {};
const none: readonly PreviewTool[] = [];

/** The questions one at a time, the review before finishing, and the ending. */
export function Quiz({ open, ending, onLoad = doNothing, intro, tools = none }: QuizProps) {
  const [store] = useState(open);
  const [early] = useState(chosenInPage);
  const [live, setLive] = useState(false);
  const state = useStore(store.$state, { ssr: 'initial' });
  const moves = useStore(store.$moves, { ssr: 'initial' });
  const given = useStore(store.answers.$given, { ssr: 'initial' });
  const isWaiting = !['intro', 'question'].includes(state.name) && ending === null;
  // An intro gives way to the question where a returning visitor left off.
  const isIntro = state.name === 'intro';
  const heading = useRef<HTMLHeadingElement>(null);
  const root = useRef<HTMLDivElement>(null);

  // As in ui/use-open-store.ts: the answers can be used right after.
  useLayoutEffect(() => {
    const [first] = store.steps;
    const close = store.open(
      early !== undefined && first?.name === 'question' && !opened
        ? { key: first.question.key, value: early === 'none' ? null : Number(early) }
        : undefined,
    );
    opened = true;
    setLive(true);
    // The intro's link works before the scripts, so what it opens is in the address.
    const begin = () => location.hash === `#${QUESTIONS}` && store.begin();
    begin();
    addEventListener('hashchange', begin);
    return () => {
      removeEventListener('hashchange', begin);
      close();
    };
  }, [store, early]);

  const isUnderWay = !['intro', 'question'].includes(state.name) || given.answers.size > 0;
  useEffect(() => {
    if (isUnderWay) onLoad();
  }, [isUnderWay, onLoad]);

  // Focus the heading of each new step; for the first one, only if nothing else has the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end has its own heading
  useEffect(() => {
    if (moves === 0 && document.activeElement !== document.body) return;
    heading.current?.focus({ preventScroll: true });
    // The whole step, which starts above its heading.
    if (moves > 0) root.current?.scrollIntoView({ block: 'nearest' });
  }, [moves, isWaiting, isIntro]);
  useQuizKeys(store, state);

  return (
    <div
      ref={root}
      id="quiz"
      data-live={live || undefined}
      className={classNames(
        'mx-auto w-full',
        state.name === 'finished' ? 'max-w-[58rem]' : 'max-w-[46rem]',
      )}
    >
      <Shown {...{ store, state, ending, onLoad, heading, tools, intro }} />
    </div>
  );
}

/** Whether the choice made before hydration has been applied; it counts only once. */
let opened = false;

/** The answer that's checked in the HTML, which hydration is about to uncheck; undefined on the server. */
const chosenInPage = () =>
  typeof document === 'undefined'
    ? undefined
    : document.querySelector<HTMLInputElement>('#quiz input[name="answer"]:checked')?.value;

interface ShownProps
  extends Required<Pick<QuizProps, 'ending' | 'onLoad' | 'tools'>>,
    Pick<QuizProps, 'intro'> {
  store: QuizStore;
  state: QuizState;
  heading: RefObject<HTMLHeadingElement | null>;
}

function Shown({ store, state, ending, onLoad, heading, tools, intro }: ShownProps) {
  const given = useStore(store.answers.$given, { ssr: 'initial' });
  const unsaved = useStore(store.answers.$unsaved, { ssr: 'initial' });
  const common = { store, given, heading };

  const framed = (step: Step, children: ReactNode) => (
    <>
      {/* On a phone, a question has the whole screen. */}
      <section className="card max-sm:border-0 max-sm:bg-transparent max-sm:shadow-none sm:p-8">
        {children}
        {step.name !== 'review' && (
          <Moves {...{ store, ending }} status={statusOf(step, given, unsaved)} />
        )}
      </section>
      <QuestionMap {...{ store, given, ending, onLoad }} current={stepId(step)} />
    </>
  );

  const asked = (step: Step | undefined, level?: 'h2') =>
    step?.name === 'question' && framed(step, <Question {...common} {...{ step, level }} />);

  if (state.name === 'intro') {
    return (
      <>
        <div className="[&:has(+:target)]:hidden">{intro}</div>
        <div id={QUESTIONS} className="hidden target:block">
          {asked(store.steps[0], 'h2')}
        </div>
      </>
    );
  }
  if (state.name === 'question') return asked(state);
  if (!ending) return <Waiting heading={heading} />;
  switch (state.name) {
    case 'skip':
      return framed(state, <ending.SkipStep {...common} step={state} />);
    case 'confidence':
      return framed(state, <ending.ConfidenceStep {...common} step={state} />);
    case 'review': {
      const review = <ending.ReviewStep {...common} unsaved={unsaved} failure={state.failure} />;
      return framed({ name: 'review' }, review);
    }
    case 'pause':
      return <ending.Pause {...common} area={state.area} />;
    case 'complete':
      return <ending.Complete {...common} scored={state.scored} />;
    case 'finished':
      return <ending.Preview {...{ store, heading, tools }} scored={state.scored} />;
    case 'ended':
      return <ending.Ended unsaved={unsaved} heading={heading} />;
    default:
      return <ending.Finishing {...{ store, unsaved, heading }} done={state.name === 'leaving'} />;
  }
}

/** Shown if what comes after the questions isn't there when it's needed: the connection was lost. */
function Waiting({ heading }: Pick<ShownProps, 'heading'>) {
  const say = useSay();
  return (
    <section className="card flex flex-col items-start gap-4 p-5 sm:p-8">
      <h1 ref={heading} tabIndex={-1} className="text-xl outline-none">
        {say('One moment')}
      </h1>
      <p role="status" className="text-muted">
        {say(
          'The rest of the quiz is still loading. If nothing happens, check your connection and reload the page. Your answers are kept.',
        )}
      </p>
      <Button variant="secondary" onClick={() => location.reload()}>
        {say('Reload the page')}
      </Button>
    </section>
  );
}

interface MovesProps extends Pick<QuizProps, 'ending'> {
  store: QuizStore;
  status: SaveStatus | null;
}

/** The answer's save status, and a button for those who choose with the keyboard or skip a step. */
function Moves({ store, ending, status }: MovesProps) {
  const say = useSay();
  return (
    <>
      <div className="mt-3 flex items-center justify-between gap-3 sm:mt-6">
        <p role="status" className="min-w-0 grow text-xs text-muted">
          {ending && <ending.SaveWords status={status} />}
        </p>
        <Button onClick={store.next}>{say('Next')}</Button>
      </div>
      {ending && (
        <ending.SaveNotice
          className="mt-5"
          status={status}
          isTitled={false}
          signIn={<ending.SignInAgain />}
        />
      )}
    </>
  );
}

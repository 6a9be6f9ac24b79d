import { hrefFor } from '#lib/routing/href.ts';
import { Drawing } from '#ui/drawings/Drawing.tsx';
import { growing } from '#ui/drawings/plants.ts';

const STEPS = [
  {
    title: 'Answer 32 questions',
    text: 'They’re about what your business does, not what you know. It takes about 15 minutes, and you can stop halfway.',
  },
  {
    title: 'Choose what to work on',
    text: 'Your results name three areas, the weakest practice in each, and one thing to do this month.',
  },
  {
    title: 'Look again after 90 days',
    text: 'The same questions show what’s changed, answer by answer.',
  },
];

const OTHERS = [
  {
    href: hrefFor('/dashboard/toolbox'),
    label: 'Browse the toolbox',
    text: 'Templates and worksheets you can finish in an evening.',
  },
  {
    href: hrefFor('/dashboard/coaching'),
    label: 'Ask for a coach',
    text: 'An hour at a time with someone who’s done it.',
  },
];

/** Suggests first steps to an owner who has nothing here yet. */
export function FirstVisit() {
  return (
    <>
      <section aria-labelledby="how">
        <h2 id="how" className="text-xl">
          How it works
        </h2>
        <ol className="mt-4 grid gap-x-8 gap-y-6 md:grid-cols-3">
          {STEPS.map(({ title, text }, index) => (
            <li key={title} className="flex gap-5 md:flex-col md:gap-4">
              <Drawing
                picture={growing[index * 2] ?? growing[4]}
                {...(index === 0 ? { shapes: 'first-visit' } : { shapesOf: 'first-visit' })}
                className="w-24 shrink-0 self-start md:w-28"
              />
              <div>
                <h3 className="text-base">{title}</h3>
                <p className="mt-1 max-w-[38ch] text-sm text-muted">{text}</p>
              </div>
            </li>
          ))}
        </ol>
      </section>
      <section aria-labelledby="or">
        <h2 id="or" className="text-xl">
          Or start here
        </h2>
        <ul className="mt-3 flex flex-col divide-y divide-line">
          {OTHERS.map(({ href, label, text }) => (
            <li key={href} className="flex flex-wrap items-baseline gap-x-3 py-3">
              <a className="link" href={href}>
                {label}
              </a>
              <span className="text-sm text-muted">{text}</span>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

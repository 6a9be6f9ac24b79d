interface ViewSwitchProps<View extends string> {
  views: readonly (readonly [view: View, label: string])[];
  shown: View;
  hrefOf: (view: View) => string;
  onChoose: (view: View) => void;
}

/** Links, so each view has a URL. With JavaScript, clicking one doesn't reload the page. */
export function ViewSwitch<View extends string>(props: ViewSwitchProps<View>) {
  const { views, shown, hrefOf, onChoose } = props;
  return (
    <nav aria-label="View" className="-mb-2">
      <ul className="inline-flex flex-wrap rounded-control border border-line p-0.5">
        {views.map(([view, label]) => (
          <li key={view}>
            <a
              href={hrefOf(view)}
              aria-current={shown === view ? 'page' : undefined}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                event.preventDefault();
                onChoose(view);
              }}
              className="inline-flex min-h-10 items-center rounded-[0.55rem] pointer-coarse:min-h-11 px-3 text-sm sm:px-4 text-muted hover:text-ink aria-[current]:bg-primary-soft aria-[current]:font-semibold aria-[current]:text-ink"
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

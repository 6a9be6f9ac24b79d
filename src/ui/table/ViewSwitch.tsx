import { ChoiceLinks } from '../ChoiceLinks.tsx';

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
    <ChoiceLinks
      label="View"
      options={views.map(([view, name]) => ({
        name,
        href: hrefOf(view),
        isChosen: shown === view,
      }))}
      arePages
      columns={views.length > 3 ? 2 : undefined}
      onChoose={(href) => {
        const view = views.find(([each]) => hrefOf(each) === href)?.[0];
        if (view !== undefined) onChoose(view);
      }}
      className="-mb-2"
    />
  );
}

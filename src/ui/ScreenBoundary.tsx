import { Component, type ComponentType, memo, type ReactNode } from 'react';
import type { Texts } from '#domain/language.ts';
import { Button } from './Button.tsx';
import { InLanguage } from './InLanguage.tsx';
import { Notice } from './Notice.tsx';

/** What was typed into a field that was removed along with a broken screen. */
interface TypedText {
  label: string;
  text: string;
}

export interface BrokenProps {
  /** Text that wasn't sent, shown so that the user can copy it. */
  typed: readonly TypedText[];
}

interface BoundaryProps {
  children: ReactNode;
  Broken: ComponentType<BrokenProps>;
}

interface BoundaryState {
  failed: boolean;
  typed: readonly TypedText[];
}

type TypedField = TypedText & { control: Element };

/**
 * Shows `Broken` in place of a screen that threw while rendering. React logs the error once and
 * runs the removed components' effect cleanups, which save any debounced drafts.
 * https://react.dev/reference/react/Component#catching-rendering-errors-with-an-error-boundary
 */
class Boundary extends Component<BoundaryProps, BoundaryState, TypedField[] | null> {
  override state: BoundaryState = { failed: false, typed: [] };

  static getDerivedStateFromError(): Partial<BoundaryState> {
    return { failed: true };
  }

  /** Runs while the fields are still in the document. */
  override getSnapshotBeforeUpdate(_: BoundaryProps, before: BoundaryState): TypedField[] | null {
    return this.state.failed && !before.failed ? typedFields() : null;
  }

  override componentDidUpdate(
    _: BoundaryProps,
    _before: BoundaryState,
    fields: TypedField[] | null,
  ): void {
    // Fields that are still connected belong to other screens, which keep working.
    const lost = fields?.filter(({ control }) => !control.isConnected) ?? [];
    if (lost.length > 0) this.setState({ typed: lost });
  }

  override render(): ReactNode {
    const { Broken, children } = this.props;
    return this.state.failed ? <Broken typed={this.state.typed} /> : children;
  }
}

/** Input types whose text is worth keeping. Not passwords: someone else may see the screen. */
const TEXT_TYPES = new Set(['text', 'search', 'email', 'url', 'tel', 'number', 'date']);

/** Every field on the page whose content differs from its initial value. */
function typedFields(): TypedField[] {
  const controls = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    'input, textarea',
  );
  return [...controls]
    .filter((control) => control instanceof HTMLTextAreaElement || TEXT_TYPES.has(control.type))
    .filter(({ value, defaultValue }) => value.trim() !== '' && value !== defaultValue)
    .map((control) => ({
      control,
      text: control.value,
      label: control.labels?.[0]?.textContent?.trim() || control.ariaLabel || 'A field',
    }));
}

/** Says what happened, and what the user can do next. */
export function BrokenScreen({ typed }: BrokenProps) {
  return (
    <Notice
      tone="danger"
      live="assertive"
      className="my-6"
      title="Something went wrong on this page"
      action={
        <>
          <Button size="small" onClick={() => location.reload()}>
            Reload the page
          </Button>
          <Button size="small" variant="secondary" href="/">
            Go to the home page
          </Button>
        </>
      }
    >
      <p>
        It’s a problem on our end. Everything marked as saved is safe, and drafts kept in this
        browser come back when you reload. If it happens again,{' '}
        <a className="link" href="/contact">
          tell us what you were doing
        </a>
        .
      </p>
      {typed.length > 0 && (
        <div className="mt-4">
          <p className="font-semibold">
            You typed this and hadn’t sent it. Copy it before you reload.
          </p>
          <dl className="mt-2 flex flex-col gap-2">
            {typed.map(({ label, text }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
              <div key={index}>
                <dt className="text-xs">{label}</dt>
                <dd className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
    </Notice>
  );
}

interface SpokenProps {
  /** The screen's texts in the reader's language; without them, it's in English. */
  words?: Texts | undefined;
}

/**
 * Wraps a component in an error boundary: if rendering throws in the browser, the page says so and
 * stays usable. Every `…Screen.tsx` exports the result.
 *
 * `memo` is for the server: Astro has React render a function once more, to find out whether it's a
 * component.
 * @param Broken the fallback; parts of the navigation have their own, which keeps their links
 */
export function screen<Props extends object>(
  Screen: ComponentType<Props>,
  Broken: ComponentType<BrokenProps> = BrokenScreen,
) {
  return memo(function BoundedScreen(props: Props & SpokenProps) {
    return (
      <Boundary Broken={Broken}>
        <InLanguage words={props.words}>
          <Screen {...props} />
        </InLanguage>
      </Boundary>
    );
  });
}

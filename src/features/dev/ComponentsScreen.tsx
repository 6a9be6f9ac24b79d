/** Shows every UI primitive, for developers; charts are at /test-chart. Not part of the product. */
import { PlusIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Avatar } from '#ui/Avatar.tsx';
import { Button } from '#ui/Button.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { PasswordInput } from '#ui/forms/PasswordInput.tsx';
import { RadioCard } from '#ui/forms/RadioCard.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { IconButton } from '#ui/IconButton.tsx';
import { Menu } from '#ui/Menu.tsx';
import { Notice } from '#ui/Notice.tsx';
import { Progress } from '#ui/Progress.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Skeleton } from '#ui/Skeleton.tsx';
import { Toaster, type ToastItem } from '#ui/Toaster.tsx';

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card flex flex-col gap-4 p-6">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

const Buttons = () => (
  <Part title="Buttons">
    {(['medium', 'large', 'small'] as const).map((size) => (
      <div key={size} className="flex flex-wrap gap-3">
        <Button size={size}>Save</Button>
        <Button size={size} variant="secondary">
          Sign in
        </Button>
        <Button size={size} variant="quiet">
          Skip
        </Button>
        <Button size={size} variant="danger">
          Remove
        </Button>
      </div>
    ))}
    <div className="flex flex-wrap gap-3">
      <Button pending>Save</Button>
      <Button disabled>Save</Button>
      <Button variant="secondary" pending>
        Send
      </Button>
      <Button href="#x" variant="secondary">
        A link
      </Button>
    </div>
  </Part>
);

const Fields = () => (
  <Part title="Fields">
    <Field
      label="Email"
      type="email"
      placeholder="you@example.com"
      hint="We’ll only email you about your account."
    />
    <Field
      label="Password"
      as={PasswordInput}
      defaultValue="short"
      error="Use at least 10 characters."
    />
    <Field
      label="Business name"
      optional
      aside={
        <a className="link" href="#x">
          Why we ask
        </a>
      }
    />
    <Field
      label="Stage"
      as={Select}
      placeholder="Choose"
      options={[
        { value: 'a', label: 'Open for business' },
        { value: 'b', label: 'Not open yet' },
      ]}
    />
    <Field label="What would help most?" as={TextArea} />
    <Checkbox
      label="Share my results with my coach"
      hint="You can change this anytime."
      defaultChecked
    />
    <Checkbox label="I agree" error="Check this box to continue." />
    <Field label="Postal code" defaultValue="87102" disabled />
  </Part>
);

const Choices = () => (
  <Part title="A question">
    <Progress value={3} max={5} label="Questions answered" />
    <fieldset className="flex flex-col gap-2.5">
      <legend className="mb-3 font-display text-xl font-heading">
        How do you know what will be in the bank three months from now?
      </legend>
      {[
        'We look at the balance and hope',
        'We made a forecast once',
        'We estimate when something big comes up',
        'We keep a 12-month forecast and update it each month',
      ].map((text, i) => (
        <RadioCard key={text} name="q" value={i} shortcut={String(i)} defaultChecked={i === 2}>
          {text}
        </RadioCard>
      ))}
      <RadioCard name="q" value="-" shortcut="–" quiet>
        Doesn’t apply to us
      </RadioCard>
    </fieldset>
  </Part>
);

const Notices = () => (
  <Part title="Notices">
    <Notice title="First look">Eight questions give a sketch. The full quiz gives a result.</Notice>
    <Notice tone="good" title="Saved">
      Your answers are kept.
    </Notice>
    <Notice tone="caution" title="Check the evidence">
      You rate yourself higher than your answers do.
    </Notice>
    <Notice
      tone="danger"
      title="Not saved"
      action={
        <Button size="small" variant="secondary">
          Try again
        </Button>
      }
    >
      The connection was lost.
    </Notice>
  </Part>
);

function Overlays({ raise }: { raise: (tone: ToastItem['tone']) => void }) {
  const [open, setOpen] = useState(false);
  return (
    <Part title="Over the page">
      <div className="flex flex-wrap gap-3">
        <Dialog
          open={open}
          onOpenChange={setOpen}
          title="Swap this area"
          description="The quiz picked it because your price isn’t based on your costs yet."
          trigger={<Button variant="secondary">Dialog</Button>}
          footer={
            <>
              <Button variant="secondary" onClick={() => setOpen(false)}>
                Keep it
              </Button>
              <Button onClick={() => setOpen(false)}>Swap</Button>
            </>
          }
        />
        <Menu
          trigger={<Button variant="secondary">Menu</Button>}
          groups={[
            [
              { key: 'a', label: 'Rosa’s Bakery', current: true },
              { key: 'b', label: 'Mesa Bikes' },
            ],
            [
              { key: 'c', label: 'Add a business', href: '#x' },
              { key: 'd', label: 'Remove', danger: true },
            ],
          ]}
        />
        <IconButton
          label="Add a business"
          className="grid size-11 place-items-center rounded-control border border-line hover:bg-raised"
        >
          <PlusIcon className="size-4" aria-hidden />
        </IconButton>
        <Button variant="secondary" onClick={() => raise('good')}>
          Toast
        </Button>
        <Button variant="secondary" onClick={() => raise('bad')}>
          Bad toast
        </Button>
      </div>
    </Part>
  );
}

const People = () => (
  <Part title="People">
    <div className="flex flex-wrap items-end gap-3">
      {([16, 20, 24, 32, 40, 48] as const).map((size) => (
        <Avatar key={size} id={String(size)} size={size} name="Maria del Carmen Ortega" />
      ))}
      <Avatar id={null} size={48} />
      <Avatar id={null} size={32} src="/missing.png" name="Ann" label="Ann" />
    </div>
    <div className="flex flex-col gap-2">
      <Skeleton className="w-1/2" />
      <Skeleton />
      <Skeleton className="h-24 rounded-card" />
    </div>
  </Part>
);

const Empty = () => (
  <Part title="Nothing yet">
    <EmptyState title="No projects yet" action={<Button variant="secondary">New project</Button>}>
      Start one from something the quiz showed, or from a blank page.
    </EmptyState>
  </Part>
);

function ComponentsScreen() {
  const [toasts, setToasts] = useState<ToastItem[]>([]);
  const raise = (tone: ToastItem['tone']) => {
    const toast = {
      id: String(Date.now()),
      tone,
      title: tone === 'bad' ? 'Not sent' : 'Saved',
      text: 'One page for each role',
      action: { label: 'Undo', onPress: () => {} },
    };
    setToasts((all) => [...all, toast]);
  };
  return (
    <>
      <div className="grid gap-5 xl:grid-cols-2">
        <Buttons />
        <Fields />
        <Choices />
        <Notices />
        <Overlays raise={raise} />
        <People />
        <Empty />
      </div>
      <Toaster
        toasts={toasts}
        onDismiss={(id) => setToasts((all) => all.filter((toast) => toast.id !== id))}
      />
    </>
  );
}

export default screen(ComponentsScreen);

import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Avatar, colorOf, initialsOf } from '#ui/Avatar.tsx';
import { Button } from '#ui/Button.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Checkbox } from '#ui/forms/Checkbox.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { LongSelect } from '#ui/forms/LongSelect.tsx';
import { PasswordInput } from '#ui/forms/PasswordInput.tsx';
import { RadioCard } from '#ui/forms/RadioCard.tsx';
import { Select } from '#ui/forms/Select.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { IconButton } from '#ui/IconButton.tsx';
import { Menu } from '#ui/Menu.tsx';
import { Notice } from '#ui/Notice.tsx';
import { Progress } from '#ui/Progress.tsx';
import { Skeleton } from '#ui/Skeleton.tsx';
import { TOAST_DURATION, TOAST_LIMIT, TOAST_SWIPE, Toaster } from '#ui/Toaster.tsx';
import { TOOLTIP_OPEN_DELAY, TOOLTIP_SKIP_DELAY } from '#ui/tooltips.ts';

const html = renderToStaticMarkup;

test.each([
  [
    <Field key="a" id="a" label="Email" hint="Rarely." error="Write one." />,
    'a-hint a-error',
    true,
  ],
  [<Field key="b" id="b" label="Your name" />, undefined, undefined],
  [
    <Field
      key="c"
      id="c"
      label="Password"
      as={PasswordInput}
      aria-describedby="rules"
      hint="Long."
    />,
    'c-hint rules',
    undefined,
  ],
])(
  'A screen reader hears a field’s hint, error and own description: %#',
  (field, described, wrong) => {
    const page = html(field);
    const id = (name: string) => new RegExp(`<input[^>]* ${name}="([^"]*)"`).exec(page)?.[1];
    expect([id('aria-describedby'), id('aria-invalid')]).toEqual([described, wrong && 'true']);
    expect(page).toContain(`<label for="${id('id')}"`);
    for (const part of described?.split(' ') ?? []) {
      if (part !== 'rules') expect(page).toContain(`id="${part}"`);
    }
  },
);

test('A button that waits keeps the focus and says that it is busy', () => {
  const page = html(<Button pending>Save</Button>);
  expect(page).toContain('aria-busy="true"');
  expect(page).not.toContain('disabled=""');
});

test.each([
  ['Maria Delgado', 'MD'],
  ['Maria del Carmen Ortega', 'MO'],
  ['  ann  ', 'A'],
  ['李 小龍', '李小'],
  ['?! …', ''],
  ['', ''],
])('The avatar of "%s" shows "%s"', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test('A person has the same color everywhere, and people have all six about as often', () => {
  const count = new Map<string, number>();
  for (let n = 0; n < 600; n += 1) {
    const id = crypto.randomUUID();
    expect(colorOf(id)).toBe(colorOf(id));
    count.set(colorOf(id), (count.get(colorOf(id)) ?? 0) + 1);
  }
  expect(count.size).toBe(6);
  expect(Math.min(...count.values())).toBeGreaterThan(50);
  expect(colorOf(null)).toBe(colorOf(undefined));
});

test('A long select shows the chosen option from the first paint, whatever characters are in it', () => {
  const options = [
    { value: 'a', label: 'Fish & <b>Chips</b>' },
    { value: '"b"', label: 'Bakery', disabled: true },
  ];
  const page = renderToStaticMarkup(
    <LongSelect aria-label="Business" placeholder="Choose" options={options} defaultValue="a" />,
  );
  expect(page).toContain(
    '<option value="">Choose</option>' +
      '<option value="a" selected="">Fish &amp; &lt;b&gt;Chips&lt;/b&gt;</option>' +
      '<option value="&quot;b&quot;" disabled="">Bakery</option></select>',
  );
});

test('Somebody without a name or a picture is shown as an icon', () => {
  expect(html(<Avatar id={null} />)).toContain('<svg');
  expect(html(<Avatar id={null} name="Ann Lee" src="/me.png" />)).toContain('AL');
});

test.each([
  [3, 8, '3 of 8', '37.5'],
  [3, 0, '3 of 0', '0'],
  [9, 8, '9 of 8', '100'],
])(
  'Progress of %i of %i is told in words, and is never more than all',
  (value, max, text, width) => {
    const page = html(<Progress value={value} max={max} label="Questions answered" />);
    expect(page).toContain(`aria-valuetext="${text}"`);
    expect(page).toContain(`width="${width}"`);
  },
);

test('Toasts and tooltips keep the times of the specification', () => {
  expect([TOAST_LIMIT, TOAST_DURATION, TOAST_SWIPE]).toEqual([5, 5000, 50]);
  expect([TOOLTIP_OPEN_DELAY, TOOLTIP_SKIP_DELAY]).toEqual([700, 300]);
});

test('An icon button always comes with its name and a tooltip, as a link too', () => {
  const moved = html(
    <IconButton label="Move Bread" tip="Move" className="x">
      …
    </IconButton>,
  );
  expect(moved).toBe(
    '<button type="button" class="x" aria-label="Move Bread" data-tooltip="Move">…</button>',
  );
  const back = html(
    <IconButton href="/dashboard/messages" label="All messages">
      …
    </IconButton>,
  );
  expect(back).toBe(
    '<a href="/dashboard/messages" aria-label="All messages" data-tooltip="All messages">…</a>',
  );
});

test('What a server renders has no style attribute, which the policy would block', () => {
  const nothing = () => {};
  const page = html(
    <>
      <Button variant="danger" size="small">
        Remove
      </Button>
      <Field
        label="Stage"
        as={Select}
        options={[{ value: 'a', label: 'Open for business' }]}
        placeholder="Choose"
      />
      <Field label="Note" as={TextArea} error="Too long." />
      <Field label="Password" as={PasswordInput} />
      <Checkbox label="I agree" error="Tick this." />
      <RadioCard name="q" value="1" shortcut="1">
        Once
      </RadioCard>
      <Notice tone="danger" live="assertive" title="Not saved" />
      <EmptyState title="Nothing yet" />
      <Skeleton />
      <Progress value={1} max={2} label="x" />
      <Avatar id={null} name="Ann" src="/a.png" />
      <IconButton label="Remove">x</IconButton>
      <Menu trigger={<Button>Menu</Button>} groups={[[{ key: 'a', label: 'A' }]]} />
      <Dialog open onOpenChange={nothing} title="Swap" />
      <Toaster toasts={[{ id: '1', title: 'Saved' }]} onDismiss={nothing} />
    </>,
  );
  expect(page).toContain('role="progressbar"');
  expect(page).not.toMatch(/\sstyle=/);
});

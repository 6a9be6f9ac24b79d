import { useStore } from '@nanostores/react';
import { PlusIcon, XIcon } from 'lucide-react';
import { type ReactNode, type Ref, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { classNames } from '#ui/class-names.ts';
import { ReadyFieldset } from '#ui/forms/ReadyFieldset.tsx';
import { TextArea } from '#ui/forms/TextArea.tsx';
import { IconButton } from '#ui/IconButton.tsx';
import { Markdown } from '#ui/Markdown.tsx';
import { useFocusBack } from '#ui/use-focus-back.ts';
import type { CopyStore } from './copy-store.ts';
import type { Block, Task } from './document.ts';

/** The document as a form: cells and checkboxes are editable, text after a click on Edit. */
export function CopyBlocks({ store }: { store: CopyStore }) {
  const blocks = useStore(store.$blocks);
  const adder = useRef<HTMLButtonElement>(null);
  useFocusBack(adder, blocks.length);
  return (
    <ReadyFieldset className="flex max-w-[54rem] min-w-0 flex-col gap-4">
      <legend className="sr-only">What to fill in</legend>
      {blocks.map((block, index) => (
        <OneBlock
          // biome-ignore lint/suspicious/noArrayIndexKey: its place is all that a block has
          key={`${index} ${block.kind}`}
          block={block}
          heading={headingBefore(blocks, index)}
          onChange={(next) => store.setBlock(index, next)}
          onRemove={() => store.setBlock(index)}
        />
      ))}
      <div>
        <SmallButton
          ref={adder}
          onPress={() => store.insertBlock(blocks.length, { kind: 'text', markdown: ' ' })}
        >
          <PlusIcon className="size-4" aria-hidden />
          Add a note
        </SmallButton>
      </div>
    </ReadyFieldset>
  );
}

/** The heading above a block, which names the fields in it. */
function headingBefore(blocks: readonly Block[], index: number): string {
  const found = blocks.slice(0, index).findLast(({ kind }) => kind === 'heading');
  return found?.kind === 'heading' ? found.text : 'the title';
}

interface OneProps<B extends Block = Block> {
  block: B;
  heading: string;
  onChange: (block: Block) => void;
  onRemove: () => void;
}

function OneBlock({ block, ...rest }: OneProps) {
  switch (block.kind) {
    case 'heading':
      return <Heading block={block} />;
    case 'tasks':
      return <Tasks block={block} {...rest} />;
    case 'table':
      return <Table block={block} {...rest} />;
    case 'text':
      return <Words block={block} {...rest} />;
  }
}

function Heading({ block }: { block: Extract<Block, { kind: 'heading' }> }) {
  const Level = block.depth <= 2 ? 'h2' : 'h3';
  return <Level className="mt-4 text-lg">{plainText(block.text)}</Level>;
}

/** Shows rendered text; clicking Edit turns it into a field. */
function Words({ block, heading, onChange, onRemove }: OneProps<Extract<Block, { kind: 'text' }>>) {
  const [open, setOpen] = useState(block.markdown.trim() === '');
  const opener = useRef<HTMLButtonElement>(null);
  useFocusBack(opener, open);
  if (open) {
    return (
      <div className="flex flex-col items-start gap-2">
        <TextArea
          aria-label={`Text under ${heading}`}
          autoFocus
          value={block.markdown.trimStart()}
          maxLength={8000}
          onChange={(event) =>
            onChange({ kind: 'text', markdown: event.currentTarget.value || ' ' })
          }
        />
        <div className="flex gap-2">
          <SmallButton onPress={() => setOpen(false)}>Done</SmallButton>
          <SmallButton onPress={onRemove}>Remove this text</SmallButton>
        </div>
      </div>
    );
  }
  return (
    <div className="group flex items-start justify-between gap-2">
      <div className="max-w-[68ch] min-w-0">
        <Markdown text={block.markdown} />
      </div>
      <SmallButton
        ref={opener}
        className="-mt-1 shrink-0 opacity-0 group-hover:opacity-100 focus-visible:opacity-100 [@media(hover:none)]:opacity-100"
        label={`Edit the text under ${heading}: ${block.markdown.trim().slice(0, 40)}`}
        onPress={() => setOpen(true)}
      >
        Edit
      </SmallButton>
    </div>
  );
}

/** Adds an item or row and focuses its first field; after a removal, focuses the add button. */
function useAdder(count: number, add: () => void) {
  const parts = useRef<HTMLDivElement>(null);
  const adder = useRef<HTMLButtonElement>(null);
  useFocusBack(adder, count);
  const addPart = () => {
    flushSync(add);
    parts.current?.querySelector<HTMLElement>('[data-part]:last-child textarea')?.focus();
  };
  return { parts, adder, addPart };
}

function Tasks({ block, heading, onChange }: OneProps<Extract<Block, { kind: 'tasks' }>>) {
  const { items } = block;
  const set = (index: number, ...next: Task[]) =>
    onChange({ ...block, items: items.toSpliced(index, 1, ...next) });
  const { parts, adder, addPart } = useAdder(items.length, () =>
    onChange({ ...block, items: [...items, { done: false, text: '' }] }),
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset inside this one would be read twice
    <div
      ref={parts}
      role="group"
      aria-label={`Checklist under ${heading}`}
      className="flex flex-col gap-2"
    >
      <ul className="flex flex-col gap-1.5">
        {items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: its place is all that an entry has
          <li key={index} data-part className="flex items-start gap-3">
            <input
              type="checkbox"
              aria-label={item.text || `Item ${index + 1}`}
              checked={item.done}
              onChange={(event) => set(index, { ...item, done: event.currentTarget.checked })}
              className="mt-2.5 size-5 shrink-0 accent-primary"
            />
            <Cell
              label={`Text of item ${index + 1} under ${heading}`}
              value={item.text}
              onChange={(text) => set(index, { ...item, text })}
              className={classNames('grow rounded-control', item.done && 'text-muted')}
            />
            {items.length > 1 && (
              <RemoveButton
                label={`Remove item ${index + 1}: ${item.text}`}
                onPress={() => set(index)}
              />
            )}
          </li>
        ))}
      </ul>
      <div className="flex items-center gap-4">
        <SmallButton ref={adder} label={`Add an item under ${heading}`} onPress={addPart}>
          <PlusIcon className="size-4" aria-hidden />
          Add an item
        </SmallButton>
        <p className="text-xs text-muted figures">
          {items.filter((item) => item.done).length} of {items.length} done
        </p>
      </div>
    </div>
  );
}

type TableBlock = Extract<Block, { kind: 'table' }>;

function Table({ block, heading, onChange }: OneProps<TableBlock>) {
  const { header, rows, align } = block;
  const { parts, adder, addPart } = useAdder(rows.length, () =>
    onChange({ ...block, rows: [...rows, header.map(() => '')] }),
  );
  return (
    <div ref={parts} className="flex min-w-0 flex-col items-start gap-2">
      <div className="max-w-full overflow-x-auto rounded-control border border-line">
        <table className={header.length > 3 ? 'w-full min-w-[36rem]' : 'w-full'}>
          <caption className="sr-only">Table under {heading}</caption>
          <thead>
            <tr className="border-b border-line bg-raised">
              {header.map((text, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column never moves
                <th key={column} scope="col" className="p-0 text-left font-semibold">
                  <Cell
                    label={`Column ${column + 1} heading`}
                    value={text}
                    right={align[column] === 'right'}
                    onChange={(next) => onChange({ ...block, header: header.with(column, next) })}
                  />
                </th>
              ))}
              <td className="w-11" />
            </tr>
          </thead>
          <tbody>
            {rows.map((_, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: its place is all that a row has
              <Row key={row} block={block} row={row} onChange={onChange} />
            ))}
          </tbody>
        </table>
      </div>
      <SmallButton ref={adder} label={`Add a row under ${heading}`} onPress={addPart}>
        <PlusIcon className="size-4" aria-hidden />
        Add a row
      </SmallButton>
    </div>
  );
}

interface RowProps extends Pick<OneProps<TableBlock>, 'block' | 'onChange'> {
  row: number;
}

function Row({ block, row, onChange }: RowProps) {
  const { header, rows, align } = block;
  const cells = rows[row] ?? [];
  const rowName = plainText(cells[0] ?? '') || `Row ${row + 1}`;
  return (
    <tr data-part className="border-b border-line last:border-0">
      {header.map((title, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column never moves
        <td key={column} className="p-0 align-top">
          <Cell
            label={`${rowName}, ${title || `Column ${column + 1}`}`}
            value={cells[column] ?? ''}
            right={align[column] === 'right'}
            onChange={(text) =>
              onChange({ ...block, rows: rows.with(row, cells.with(column, text)) })
            }
          />
        </td>
      ))}
      <td className="p-0 align-top">
        {rows.length > 1 && (
          <RemoveButton
            label={`Remove row ${row + 1}: ${rowName}`}
            onPress={() => onChange({ ...block, rows: rows.toSpliced(row, 1) })}
          />
        )}
      </td>
    </tr>
  );
}

const plainText = (text: string) => text.replaceAll(/[*_`]/g, '').trim();

interface CellProps {
  label: string;
  value: string;
  right?: boolean;
  className?: string;
  onChange: (text: string) => void;
}

/** A one-line field that grows as needed. Line breaks become spaces: cells can't hold any. */
function Cell({ label, value, right, className, onChange }: CellProps) {
  return (
    <textarea
      aria-label={label}
      rows={1}
      maxLength={2000}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.replaceAll(/\n/g, ' '))}
      className={classNames(
        'block field-sizing-content min-h-11 w-full min-w-24 resize-none bg-transparent px-3 py-2.5 text-sm hover:bg-raised focus-visible:bg-surface focus-visible:-outline-offset-2 disabled:text-muted',
        right && 'text-right figures',
        /^\*\*.*\*\*$/.test(value) && 'font-semibold',
        className,
      )}
    />
  );
}

function RemoveButton({ label, onPress }: { label: string; onPress: () => void }) {
  return (
    <IconButton
      label={label}
      tip="Remove"
      onClick={onPress}
      className="grid size-11 shrink-0 place-items-center rounded-control text-muted hover:bg-raised hover:text-ink"
    >
      <XIcon className="size-4" aria-hidden />
    </IconButton>
  );
}

function SmallButton({
  ref,
  children,
  label,
  className,
  onPress,
}: {
  ref?: Ref<HTMLButtonElement>;
  children: ReactNode;
  label?: string;
  className?: string;
  onPress: () => void;
}) {
  return (
    <button
      ref={ref}
      type="button"
      aria-label={label}
      onClick={onPress}
      className={classNames(
        'inline-flex min-h-9 pointer-coarse:min-h-11 items-center gap-1.5 rounded-control px-2.5 text-sm text-muted hover:bg-raised hover:text-ink',
        className,
      )}
    >
      {children}
    </button>
  );
}

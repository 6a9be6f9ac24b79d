import { UserRound } from 'lucide-react';
import { classNames } from './class-names.ts';

/** Sizes in pixels; the specification requires 16 to 48. */
type AvatarSize = 16 | 20 | 24 | 32 | 40 | 48;

const sizes: Record<AvatarSize, string> = {
  16: 'size-4 text-[0.4375rem]',
  20: 'size-5 text-[0.5rem]',
  24: 'size-6 text-[0.625rem]',
  32: 'size-8 text-[0.75rem]',
  40: 'size-10 text-xs',
  48: 'size-12 text-base',
};

/**
 * At most two initials: the first and last words'.
 * Returns '' for a name without a letter or digit.
 */
export function initialsOf(name: string): string {
  const words = name
    .split(/\s+/)
    .flatMap((word) => (/^[a-z]/i.exec(word) ?? /[\p{L}\p{N}]/u.exec(word))?.[0] ?? []);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.join('').toUpperCase();
}

const colors = [
  'bg-person-1',
  'bg-person-2',
  'bg-person-3',
  'bg-person-4',
  'bg-person-5',
  'bg-person-6',
] as const;

/** The color behind a person's initials: the same everywhere, and one of six by their id. */
export function colorOf(id: string | null | undefined): (typeof colors)[number] {
  let sum = 0;
  for (const letter of id ?? '') sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
  return colors[sum % colors.length] ?? colors[0];
}

export interface AvatarProps {
  /** The person's id, which chooses the color; null if the account was deleted. */
  id: string | null | undefined;
  /** The person's name; the initials are taken from it. */
  name?: string | null;
  /** The picture's URL. If it's missing or fails to load, initials or an icon are shown. */
  src?: string | null;
  size?: AvatarSize;
  /** Leave it out if the name is next to the avatar, which is then decorative. */
  label?: string;
  className?: string;
}

/**
 * A person's picture, or else their initials, or else an icon. The picture covers them, and the page
 * hides it if it can't be loaded (`lib/browser/hide-broken-pictures.ts`). Nothing in it needs React.
 */
export function Avatar({ id, name, src, size = 32, label, className }: AvatarProps) {
  const initials = initialsOf(name ?? '');
  return (
    <span
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
      className={classNames(
        'relative inline-grid shrink-0 place-items-center overflow-hidden rounded-full leading-none font-semibold text-primary-ink select-none',
        colorOf(id),
        sizes[size],
        className,
      )}
    >
      {initials || <UserRound className="size-[62%]" strokeWidth={2} />}
      {src && (
        <img
          key={src} // so that another picture isn't hidden because this one was
          data-cover=""
          src={src}
          alt=""
          loading="lazy"
          className="absolute inset-0 size-full bg-inherit object-cover"
        />
      )}
    </span>
  );
}

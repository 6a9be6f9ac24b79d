import { UserRound } from 'lucide-react';
import { Avatar as Radix } from 'radix-ui';
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
  const words = name.split(/\s+/).flatMap((word) => word.match(/[\p{L}\p{N}]/u)?.[0] ?? []);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.join('').toLocaleUpperCase();
}

export interface AvatarProps {
  /** The person's name; the initials are taken from it. */
  name?: string | null;
  /** The picture's URL. If it's missing or fails to load, initials or an icon are shown. */
  src?: string | null;
  size?: AvatarSize;
  /** Leave it out if the name is next to the avatar, which is then decorative. */
  label?: string;
  className?: string;
}

/** A person's picture, or else their initials, or else an icon. */
export function Avatar({ name, src, size = 32, label, className }: AvatarProps) {
  const initials = initialsOf(name ?? '');
  return (
    <Radix.Root
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
      className={classNames(
        'inline-grid shrink-0 place-items-center overflow-hidden rounded-full bg-primary font-semibold text-primary-ink select-none',
        sizes[size],
        className,
      )}
    >
      {src ? <Radix.Image src={src} alt="" className="size-full object-cover" /> : null}
      <Radix.Fallback className="grid size-full place-items-center leading-none">
        {initials || <UserRound className="size-[62%]" strokeWidth={2} />}
      </Radix.Fallback>
    </Radix.Root>
  );
}

import { Search } from 'lucide-react';
import { IconButton } from '#ui/IconButton.tsx';

/**
 * Links to the site's search; once ShellScreen is there, they open the command menu in place. Layouts
 * draw them on the server only: an icon in a phone's header, and a line in the sidebar.
 */
export const SearchIcon = () => (
  <IconButton
    data-search
    href="/search"
    label="Find anything"
    className="flex size-11 shrink-0 items-center justify-center rounded-control text-muted hover:bg-raised hover:text-ink"
  >
    <Search className="size-5" strokeWidth={1.7} aria-hidden="true" />
  </IconButton>
);

/** @param keys the shortcut, as this reader's keyboard has it */
export const SearchLine = ({ keys }: { keys: string }) => (
  <a
    data-search
    href="/search"
    aria-keyshortcuts="Control+K Meta+K"
    className="hidden min-h-11 items-center gap-3 rounded-control border border-line bg-surface px-3 text-sm text-muted no-underline hover:border-edge hover:text-ink lg:flex"
  >
    <Search className="size-5" strokeWidth={1.7} aria-hidden="true" />
    Find anything
    <span aria-hidden="true" className="ml-auto text-xs">
      {keys}
    </span>
  </a>
);

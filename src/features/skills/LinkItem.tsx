interface LinkItemProps {
  href: string;
  text: string;
  /** What it's about, for a screen reader. */
  about?: string;
  /** What follows the link. */
  note?: string;
  className?: string;
}

/** One way to start: an entry in a list of links. */
export const LinkItem = ({ href, text, about, note, className }: LinkItemProps) => (
  <li className={className}>
    <a className="link" href={href}>
      {text}
    </a>
    {about && <span className="sr-only">{about}</span>}
    {note && <span className="text-muted"> {note}</span>}
  </li>
);

interface LinkItemProps {
  href: string;
  text: string;
  /** Says what the link is about, for screen readers. */
  about?: string;
  /** Text after the link. */
  note?: string;
  className?: string;
}

/** An item in a list of links. */
export const LinkItem = ({ href, text, about, note, className }: LinkItemProps) => (
  <li className={className}>
    <a className="link" href={href}>
      {text}
    </a>
    {about && <span className="sr-only">{about}</span>}
    {note && <span className="text-muted"> {note}</span>}
  </li>
);

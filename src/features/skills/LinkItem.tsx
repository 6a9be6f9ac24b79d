interface LinkItemProps {
  href: string;
  text: string;
  /** The end of the link’s text, for screen readers: a list of links has several like it. */
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
      {about && <span className="sr-only">{about}</span>}
    </a>
    {note && <span className="text-muted"> {note}</span>}
  </li>
);

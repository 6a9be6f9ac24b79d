import type { ReactNode } from 'react';
import { momentText } from '#lib/locale/dates.ts';
import { Button } from '#ui/Button.tsx';
import { Notice } from '#ui/Notice.tsx';
import { Section } from '#ui/Section.tsx';

interface ServiceConnectionProps {
  /** What people call it: "HubSpot". */
  name: string;
  /** What was seen of it; null before anybody had it checked. */
  seen: { checked_at: string; problem: string | null } | null;
  isConnected: boolean;
  /** More about a connection that works. */
  about?: ReactNode;
  /** How to connect it. */
  help: ReactNode;
  /** The reader's IANA time zone. */
  timeZone: string;
  isChecking: boolean;
  onCheck: () => void;
}

/** Whether another system can be reached, and how to connect it if it can't. */
export function ServiceConnection(props: ServiceConnectionProps) {
  const { name, seen, isConnected, about, help, timeZone, isChecking, onCheck } = props;
  const isFine = seen?.problem === null;
  return (
    <Section id="connection" title="Connection">
      <div className="card mt-3 flex flex-col items-start gap-4 p-5">
        <Notice
          className="w-full"
          tone={isFine ? 'good' : seen ? 'caution' : 'info'}
          live="polite"
          title={
            isFine
              ? `${name} is connected.`
              : seen
                ? `Nothing is sent to ${name}.`
                : `We haven’t checked yet whether ${name} is connected.`
          }
        >
          {isFine ? about : seen?.problem}
          {seen && (
            <span className="block text-muted">
              Checked {momentText(seen.checked_at, timeZone)}
            </span>
          )}
        </Notice>
        <Button
          size="small"
          variant={isConnected ? 'secondary' : 'primary'}
          needsScript
          pending={isChecking}
          onClick={onCheck}
        >
          {seen ? 'Check again' : 'Check the connection'}
        </Button>
        {!isConnected && (
          <details className="w-full text-sm">
            <summary className="link inline-block py-1 pointer-coarse:py-3">
              How to connect {name}
            </summary>
            {help}
          </details>
        )}
      </div>
    </Section>
  );
}

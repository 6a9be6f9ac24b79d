import type { BusinessClient } from '#data/business-roles.ts';
import { firstName } from '#domain/message.ts';
import { writeHref } from '#lib/routing/write-href.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';

interface NotStartedProps {
  /** What's missing: "the plan". */
  what: string;
  /** Null for someone who doesn't coach it now, and for its own people once it's archived. */
  client: BusinessClient;
}

/** In place of a worksheet that nobody has started, for those who can only read it. */
export function NotStarted({ what, client }: NotStartedProps) {
  if (!client) return <EmptyState title={`Nobody started ${what}`} />;
  return (
    <EmptyState
      title={`${client.name ?? 'The owner'} hasn’t started ${what}`}
      action={
        <Button variant="secondary" href={writeHref('engagement', client.id)}>
          Message {client.name ? firstName(client.name) : 'the owner'}
        </Button>
      }
    >
      You’ll see it here as soon as there’s something in it.
    </EmptyState>
  );
}

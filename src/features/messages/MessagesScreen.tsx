import { useEffect, useRef, useState } from 'react';
import type { ConversationPage, ConversationShow } from '#data/conversations.ts';
import { createConversation } from '#data/conversations.ts';
import type { Correspondent } from '#data/correspondents.ts';
import { db } from '#lib/db.ts';
import { newId } from '#lib/new-id.ts';
import { hrefFor } from '#lib/routing/href.ts';
import type { Wanted } from '#lib/routing/write-href.ts';
import { reportError } from '#stores/session.ts';
import { whenBack } from '#stores/when-back.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Failure } from '#ui/Failure.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { useAction } from '#ui/use-action.ts';
import { ConversationList } from './list/ConversationList.tsx';
import type { ListReader } from './list/ConversationRow.tsx';
import { Correspondents } from './list/Correspondents.tsx';
import { ConversationListStore, type FoundMessages, listDeps } from './list/list-store.ts';
import { NewConversationButton } from './list/NewConversationButton.tsx';
import { useToday } from './page-hooks.ts';

interface MessagesProps {
  page: ConversationPage;
  /** The search query (`?q=`), and the messages that match it. */
  query: string;
  /** Only some of the conversations (`?show=`). */
  show: ConversationShow;
  found: FoundMessages | null;
  /** People the reader may write to; fetched only while they have no conversation. */
  people: readonly Correspondent[];
  /** The person or subject that a link asked to message (`?to=`); null without one. */
  wanted: Wanted | null;
  reader: ListReader;
  today: string;
}

/** A person's conversations; wide screens have room for the selected one next to them. */
function MessagesScreen(props: MessagesProps) {
  const { page, query, show, found, people, wanted, reader } = props;
  const today = useToday(props.today, reader.timeZone);
  const [store] = useState(
    () => new ConversationListStore(listDeps(reader.userId), { page, query, found, show }),
  );
  return (
    <div className="flex min-h-0 grow lg:grid lg:grid-cols-[23rem_minmax(0,1fr)]">
      <div className="flex min-w-0 grow flex-col gap-5 lg:min-h-0 lg:overflow-y-auto lg:border-r lg:border-line lg:px-4 lg:py-6">
        <header className="flex flex-wrap items-center justify-between gap-3 lg:px-2">
          <h1 className="lg:text-xl">Messages</h1>
          <NewConversationButton />
        </header>
        {wanted && <OpenWanted wanted={wanted} />}
        {show && (
          <p className="text-sm text-muted lg:px-2">
            Only what people wrote to support and you haven’t read.{' '}
            <a className="link" href={hrefFor('/dashboard/messages')}>
              Show all
            </a>
          </p>
        )}
        <ConversationList
          store={store}
          reader={reader}
          today={today}
          empty={show ? <EmptyState title="Everything’s read" /> : <NoMessages people={people} />}
        />
      </div>
      <div className="hidden place-items-center p-8 lg:grid">
        <EmptyState title="No conversation selected" className="max-w-md">
          {page.conversations.length > 0
            ? 'Choose a conversation on the left, or start a new one.'
            : 'Your messages and replies will show up here.'}
        </EmptyState>
      </div>
    </div>
  );
}

function NoMessages({ people }: { people: readonly Correspondent[] }) {
  return (
    <section aria-labelledby="whom" className="flex flex-col gap-4">
      <EmptyState title="No messages yet" className="lg:flex-col! lg:text-center!">
        You can message the people you work with, and support. Nobody else can message you.
      </EmptyState>
      {people.length > 0 && (
        <>
          <h2 id="whom" className="text-lg">
            People you can message
          </h2>
          <Correspondents people={people} />
        </>
      )}
    </section>
  );
}

export default screen(MessagesScreen);

/** Finds or creates the conversation that a link asked for, and replaces this page with it. */
function OpenWanted({ wanted }: { wanted: Wanted }) {
  const [id] = useState(newId);
  const { failure, run } = useAction(reportError);
  const open = () =>
    void run(async () => {
      const found = await createConversation(await db(), id, wanted);
      location.replace(hrefFor('/dashboard/messages/conversations/[id]', { id: found }));
    });
  const latestOpen = useRef(open);
  latestOpen.current = open;
  useEffect(() => latestOpen.current(), []);
  const failed = failure !== null;
  useEffect(() => (failed ? whenBack(() => latestOpen.current()) : undefined), [failed]);
  if (failure) {
    return <Failure failure={failure} onRetry={open} title="We couldn’t open the conversation" />;
  }
  return (
    <p role="status" className="text-sm text-muted">
      Opening the conversation…
    </p>
  );
}

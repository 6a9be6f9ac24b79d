import { useState } from 'react';
import type { ConversationPage } from '#data/conversations.ts';
import type { Correspondent } from '#data/correspondents.ts';
import type { Wanted } from '#lib/write-href.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { ConversationList } from './list/ConversationList.tsx';
import type { ListReader } from './list/ConversationRow.tsx';
import { Correspondents } from './list/Correspondents.tsx';
import type { FoundMessages } from './list/list-store.ts';
import { NewButton } from './list/NewButton.tsx';
import { OpenWanted } from './list/OpenWanted.tsx';
import { createPageList } from './list/page-list.ts';

interface MessagesProps {
  page: ConversationPage;
  /** What the page was asked for with `?q=`, and what it found in messages. */
  words: string;
  found: FoundMessages | null;
  /** Whom the reader may write to; asked for where they have no conversation yet. */
  people: readonly Correspondent[];
  /** What they came to write about. */
  wanted: Wanted | null;
  reader: ListReader;
  today: string;
}

/** The conversations of a person; on a desk the open one stands beside them. */
function MessagesScreen(props: MessagesProps) {
  const { page, words, found, people, wanted, reader, today } = props;
  const [store] = useState(() => createPageList(reader.userId, { page, words, found }));
  return (
    <div className="flex min-h-0 grow lg:grid lg:grid-cols-[23rem_minmax(0,1fr)]">
      <div className="flex min-w-0 grow flex-col gap-5 lg:min-h-0 lg:overflow-y-auto lg:border-r lg:border-line lg:px-4 lg:py-6">
        <header className="flex flex-wrap items-center justify-between gap-3 lg:px-2">
          <h1 className="lg:text-xl">Messages</h1>
          <NewButton />
        </header>
        {wanted && <OpenWanted wanted={wanted} />}
        <ConversationList
          store={store}
          reader={reader}
          today={today}
          empty={<NobodyYet people={people} />}
        />
      </div>
      <div className="hidden place-items-center p-8 lg:grid">
        <EmptyState title="Nothing is open" className="max-w-md">
          {page.conversations.length > 0
            ? 'Choose a conversation on the left, or begin one.'
            : 'What you write, and what is answered, stands here.'}
        </EmptyState>
      </div>
    </div>
  );
}

/** Nothing was written yet: whom one may write to, ready to be pressed. */
function NobodyYet({ people }: { people: readonly Correspondent[] }) {
  return (
    <section aria-labelledby="whom" className="flex flex-col gap-4">
      <EmptyState title="No messages yet" className="lg:flex-col! lg:text-center!">
        You can write to the people you work with, and to support. Nobody else can write to you.
      </EmptyState>
      {people.length > 0 && (
        <>
          <h2 id="whom" className="text-lg">
            Write to
          </h2>
          <Correspondents people={people} />
        </>
      )}
    </section>
  );
}

export default screen(MessagesScreen);

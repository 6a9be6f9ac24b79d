import { useStore } from '@nanostores/react';
import { type ReactNode, useRef, useState } from 'react';
import type { ClientRecord } from '#data/coaching-client.ts';
import { isOpenEngagement } from '#domain/engagement.ts';
import { db } from '#lib/db.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { sessionEnded } from '#stores/session.ts';
import { addFailureToast } from '#stores/toasts.ts';
import { classNames } from '#ui/class-names.ts';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Still } from '#ui/Still.tsx';
import { useFocusBack } from '#ui/use-focus-back.ts';
import { useOpenedPart } from '#ui/use-part.ts';
import { AskedFor, BusinessFacts, ContactSection } from './client/AboutSections.tsx';
import { ActionSection } from './client/ActionSection.tsx';
import { type Asked, loadClientDialogs, loadPlanDialog } from './client/asked.ts';
import { createClientStore } from './client/client-store.ts';
import { nameOf } from './client/dialog-deps.ts';
import { HandoverSection } from './client/HandoverSection.tsx';
import { NextStep } from './client/NextStep.tsx';
import { ProjectSection } from './client/ProjectSection.tsx';
import { RecommendationSection } from './client/RecommendationSection.tsx';
import { SessionSection } from './client/SessionSection.tsx';
import { StateMark } from './coach/StateMark.tsx';
import { UnsentSessions } from './coach/UnsentSessions.tsx';
import type { Reader } from './when.ts';

export interface ClientProps {
  client: ClientRecord;
  userId: string;
  reader: Reader;
  /** The id of a session that isn't planned, if the coach records one. */
  freshId: string;
  /** The owner's languages, by name. */
  languages: string[];
  /** Parts that don't need JavaScript. */
  skills?: ReactNode;
  story?: ReactNode;
}

function useClient({ client: initial }: ClientProps) {
  const [store] = useState(() =>
    createClientStore(
      {
        db,
        signedOut: sessionEnded,
        showFailure: addFailureToast,
        leave: () => location.assign(hrefFor('/dashboard/coaching')),
      },
      initial,
    ),
  );
  const client = useStore(store.$client, { ssr: 'initial' });
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  return { store, client, asked, setAsked, close };
}

const COLUMNS = 'grid gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(18rem,22rem)]';

/** One client of a coach: who they are, what's next, and everything about their coaching. */
function ClientScreen(props: ClientProps) {
  const { userId, reader, freshId, languages, skills, story } = props;
  const { store, client, asked, setAsked, close } = useClient(props);
  const isOpen = isOpenEngagement(client);
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusBack(heading, client);
  const said = useStore(store.$said, { ssr: 'initial' });
  const ask = (what: Asked) => setAsked(what);
  return (
    <div className="flex flex-col gap-6">
      <Head client={client} headingRef={heading} />
      <p role="status" className="sr-only">
        {said}
      </p>
      <UnsentSessions
        userId={userId}
        engagementId={client.id}
        onStored={() => void store.reread()}
      />
      <NextStep store={store} client={client} reader={reader} freshId={freshId} onAsk={ask} />
      <Still of={[client]} className="contents">
        {() => <OnThisPage client={client} />}
      </Still>
      <div className={COLUMNS}>
        <Still of={[client]} className="contents">
          {() => <AskedFor client={client} />}
        </Still>
        <ContactSection
          client={client}
          languages={languages}
          reader={reader}
          onLog={isOpen ? () => ask({ what: 'contact' }) : null}
        />
      </div>
      <div className={classNames(COLUMNS, 'lg:items-start')}>
        <div className="flex min-w-0 flex-col gap-5">
          {client.handover && <HandoverSection handover={client.handover} client={client} />}
          <SessionSection store={store} client={client} reader={reader} onAsk={ask} />
          <ActionSection
            store={store}
            client={client}
            reader={reader}
            onAdd={isOpen ? () => ask({ what: 'action' }) : null}
          />
          {isOpen && skills}
          {story}
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <Still of={[client]} className="contents">
            {() => client.business && <BusinessFacts client={client} business={client.business} />}
          </Still>
          <RecommendationSection
            client={client}
            onAdd={isOpen ? () => ask({ what: 'recommend' }) : null}
          />
          {client.business && (
            <ProjectSection client={client} reader={reader} onDownload={store.download} />
          )}
        </div>
      </div>
      <Dialogs {...{ client, reader, asked, close, store }} />
    </div>
  );
}

interface HeadProps {
  client: ClientRecord;
  headingRef: React.Ref<HTMLHeadingElement>;
}

const Head = ({ client, headingRef }: HeadProps) => (
  <header>
    <p className="text-sm">
      <a className="link" href={hrefFor('/dashboard/coaching')}>
        Clients
      </a>
    </p>
    <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
      <h1 ref={headingRef} tabIndex={-1} className="wrap-anywhere">
        {client.business_name}
      </h1>
      <StateMark state={client.state} />
    </div>
    <p className="mt-1 text-muted wrap-anywhere">{client.owner.full_name || 'No name yet'}</p>
  </header>
);

/** Links to the sections of a long page. */
function OnThisPage({ client }: { client: ClientRecord }) {
  const isOpen = isOpenEngagement(client);
  const links: [id: string, label: string, isThere: boolean][] = [
    ['asked', 'What they asked', true],
    ['contact', 'Contact', true],
    ['sessions', 'Sessions', true],
    ['actions', 'Actions', true],
    ['skills', 'Skills', isOpen],
    ['story', 'Story', true],
    ['business', 'Business', client.business !== null],
    ['recommended', 'Recommended', true],
    ['projects', 'Projects and files', isOpen],
  ];
  return (
    <nav
      aria-label="On this page"
      className="-my-1 max-sm:-mx-5 max-sm:overflow-x-auto max-sm:mask-r-from-90% max-sm:px-5"
    >
      <ul className="flex w-max gap-2 text-sm max-sm:pr-10 sm:w-auto sm:flex-wrap">
        {links
          .filter(([, , isThere]) => isThere)
          .map(([id, label]) => (
            <li key={id}>
              <a
                className="inline-flex min-h-9 items-center rounded-full border border-line px-3.5 whitespace-nowrap hover:bg-raised pointer-coarse:min-h-11"
                href={`#${id}`}
              >
                {label}
              </a>
            </li>
          ))}
      </ul>
    </nav>
  );
}

interface DialogsProps {
  client: ClientRecord;
  reader: Reader;
  asked: Asked | null;
  close: () => void;
  store: ReturnType<typeof createClientStore>;
}

/** The dialog that's open, loaded once one is. */
function Dialogs({ client, reader, asked, close, store }: DialogsProps) {
  const isPlan = asked?.what === 'plan';
  const forms = useOpenedPart(loadClientDialogs, asked !== null && !isPlan, close);
  const plan = useOpenedPart(loadPlanDialog, isPlan, close);
  if (!asked) return null;
  if (asked.what === 'plan') {
    const [last = null] = client.sessions;
    return (
      plan && (
        <plan.PlanDialog
          target={{
            engagementId: client.id,
            name: nameOf(client),
            ownerTimeZone: client.owner.time_zone,
            last,
            holidays: client.holidays,
            moving: asked.moving,
          }}
          reader={reader}
          onDone={(said) => {
            store.say(said);
            void store.reread();
          }}
          onClose={close}
        />
      )
    );
  }
  return (
    forms && (
      <forms.ClientDialog
        asked={asked}
        client={client}
        reader={reader}
        take={store.take}
        onDone={(said) => {
          store.say(said);
          close();
        }}
        onClose={close}
      />
    )
  );
}

export default screen(ClientScreen);

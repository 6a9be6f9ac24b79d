/** A coach's list of clients: its filter, and the rows loaded. */
import { type ClientRow, listClients } from '#data/coaching-clients.ts';
import { type ClientFilter, clientFilter } from '#domain/client-list.ts';
import type { ListPage } from '#domain/list.ts';
import type { AnswerDeps } from '#lib/latest-answer.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { createListStore } from '#stores/list-store.ts';

interface ClientListDeps extends AnswerDeps {
  /** Replaces the URL of the page. */
  showAddress: (address: string) => void;
}

export type ClientListStore = ReturnType<typeof createClientListStore>;

export const createClientListStore = (
  deps: ClientListDeps,
  initial: { filter: ClientFilter; page: ListPage<ClientRow> },
) =>
  createListStore<ClientRow, ClientFilter, ListPage<ClientRow>>(
    {
      ...deps,
      read: listClients,
      codec: clientFilter,
      path: hrefFor('/dashboard/coaching'),
    },
    initial,
  );

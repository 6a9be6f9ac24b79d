import { type ClientFilter, clientFilter } from '#domain/client-list.ts';
import { hrefFor } from '#lib/routing/href.ts';

/** The URL of the list of clients with some filters. */
export const clientsHref = (filter: Partial<ClientFilter>): string =>
  hrefFor('/dashboard/coaching') +
  clientFilter.write({ ...clientFilter.read(new URLSearchParams()), ...filter });

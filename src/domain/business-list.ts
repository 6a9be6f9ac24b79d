import { filterCodec, flagParam, pageParam } from './list.ts';

/** The filters of a list of businesses, kept in its URL. */
export const businessFilter = filterCodec({ archived: flagParam('archived'), page: pageParam() });

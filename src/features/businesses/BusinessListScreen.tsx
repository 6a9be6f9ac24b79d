import { Building2 } from 'lucide-react';
import type { BusinessPage, BusinessRow } from '#data/businesses.ts';
import { TRADING_LABELS } from '#domain/business-choices.ts';
import { businessFilter } from '#domain/business-list.ts';
import type { Role } from '#domain/person.ts';
import { chooseBusiness } from '#lib/business-choice.ts';
import { shortDayText } from '#lib/locale/dates.ts';
import { wholeText } from '#lib/locale/numbers.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { classNames } from '#ui/class-names.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Pager } from '#ui/table/Pager.tsx';
import { OwnInvitations } from './OwnInvitations.tsx';

export interface BusinessListInitial extends BusinessPage {
  archived: boolean;
  /** Counts from 1. */
  page: number;
  currentId: string | null;
  /** Coaches see their clients' businesses and have none of their own. */
  role: Role;
  timeZone: string;
}

const LIST = hrefFor('/dashboard/businesses');

const address = (archived: boolean, page: number) =>
  LIST + businessFilter.write({ archived, page });

/** The user's businesses, and which one they're working on. */
function BusinessListScreen({ initial }: { initial: BusinessListInitial }) {
  const { archived, businesses, total, other, page, page_size, role } = initial;
  const pages = Math.max(1, Math.ceil(total / page_size));
  return (
    <>
      <div className="mb-7 flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-2xl">{archived ? 'Archived businesses' : 'Businesses'}</h1>
        {!archived && businesses.length > 0 && role === 'owner' && (
          <Button variant="secondary" href={hrefFor('/dashboard/businesses/new')}>
            Add a business
          </Button>
        )}
      </div>
      {initial.invitations.length > 0 && (
        <OwnInvitations initial={initial.invitations} timeZone={initial.timeZone} />
      )}
      {businesses.length === 0 ? (
        <NothingHere archived={archived} beyond={total > 0} role={role} />
      ) : (
        <ul className={classNames('grid gap-4', businesses.length > 1 && 'md:grid-cols-2')}>
          {businesses.map((business) => (
            <Row
              key={business.id}
              business={business}
              current={business.id === initial.currentId}
              hasOthers={total > 1}
              timeZone={initial.timeZone}
            />
          ))}
        </ul>
      )}
      <div className="mt-6">
        <Pager
          previous={page > 1 ? address(archived, page - 1) : null}
          next={page < pages ? address(archived, page + 1) : null}
        >
          Page {page} of {pages}, {wholeText(total)} businesses
        </Pager>
      </div>
      {(archived || other > 0) && (
        <p className="mt-8 text-sm">
          <a className="link" href={address(!archived, 1)}>
            {archived
              ? 'Back to active businesses'
              : `${other} archived ${other === 1 ? 'business' : 'businesses'}`}
          </a>
        </p>
      )}
    </>
  );
}

interface NothingProps {
  archived: boolean;
  beyond: boolean;
  role: Role;
}

function NothingHere({ archived, beyond, role }: NothingProps) {
  if (beyond) {
    return (
      <Notice title="This page is empty">
        <a className="link" href={address(archived, 1)}>
          Go to the first page
        </a>
      </Notice>
    );
  }
  if (archived) {
    return (
      <EmptyState title="Nothing archived">
        Archived businesses are kept here with everything in them. You can restore them.
      </EmptyState>
    );
  }
  if (role === 'coach') {
    return (
      <EmptyState title="No businesses yet">Your clients’ businesses will show up here.</EmptyState>
    );
  }
  if (role === 'admin') {
    return (
      <EmptyState
        title="You don’t belong to a business"
        action={<Button href={hrefFor('/admin/businesses')}>See all businesses</Button>}
      >
        Owners and coaches see the businesses they work on here. As an admin, you can see them all.
      </EmptyState>
    );
  }
  // The page has a form for the first one.
  return null;
}

interface RowProps {
  business: BusinessRow;
  /** Whether it's the one being worked on. */
  current: boolean;
  /** Whether there are others to work on. */
  hasOthers: boolean;
  timeZone: string;
}

/** What a business is, and how far its plan and its forecast are. */
function Row({ business, current, hasOthers, timeZone }: RowProps) {
  const { id, name, role, plan, forecast_saved_at } = business;
  const place = [business.city, business.region].filter(Boolean).join(', ') || business.postal_code;
  const known = [business.trading && TRADING_LABELS[business.trading], business.industry, place];
  const members = business.members > 1 ? `${business.members} members` : null;
  const work = [
    role === null && business.owner,
    plan.filled > 0 && `Plan ${plan.filled} of ${plan.of}`,
    forecast_saved_at && `Forecast saved ${shortDayText(forecast_saved_at, timeZone)}`,
    role !== null && members,
  ];
  return (
    <li className="card flex gap-4 p-5">
      <Building2 className="mt-1 size-5 shrink-0 text-primary" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <h2 className="text-lg [overflow-wrap:anywhere]">
            <a className="link" href={hrefFor('/dashboard/businesses/[id]', { id })}>
              {name}
            </a>
          </h2>
          {hasOthers && current && (
            <span className="shrink-0 rounded-control bg-primary-soft px-3 py-1 text-xs font-semibold">
              You’re viewing this
            </span>
          )}
          {hasOthers && !current && role !== null && business.archived_at === null && (
            <WorkOn {...business} />
          )}
        </div>
        <Pieces pieces={known} empty="No details yet" />
        <Pieces pieces={work} empty="No plan or forecast yet" />
      </div>
    </li>
  );
}

const WorkOn = ({ id, name }: Pick<BusinessRow, 'id' | 'name'>) => (
  <Button
    size="small"
    variant="secondary"
    needsScript
    onClick={() => {
      chooseBusiness(id);
      location.assign(hrefFor('/dashboard'));
    }}
  >
    Work on this<span className="sr-only">: {name}</span>
  </Button>
);

interface PiecesProps {
  pieces: readonly (string | null | false | undefined)[];
  /** What it says without any. */
  empty: string;
}

/** Short facts with dots between them. A dot at the beginning of a line is beyond the edge. */
function Pieces({ pieces, empty }: PiecesProps) {
  const known = pieces.filter((piece) => typeof piece === 'string' && piece !== '');
  return (
    <div className="mt-1 overflow-hidden text-sm text-muted">
      <ul className="-ml-4 flex flex-wrap">
        {(known.length > 0 ? known : [empty]).map((piece) => (
          <li
            key={String(piece)}
            className="relative pl-4 before:absolute before:left-1.5 before:content-['·']"
          >
            {piece}
          </li>
        ))}
      </ul>
    </div>
  );
}

export default screen(BusinessListScreen);

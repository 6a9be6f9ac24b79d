import { Building2 } from 'lucide-react';
import type { BusinessPage, BusinessRow } from '#data/businesses.ts';
import { TRADING_LABELS } from '#domain/business-choices.ts';
import { businessFilter } from '#domain/business-list.ts';
import type { Role } from '#domain/person.ts';
import { chooseBusiness } from '#lib/business-choice.ts';
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
        <ul className="grid gap-4 md:grid-cols-2">
          {businesses.map((business) => (
            <Row
              key={business.id}
              business={business}
              current={business.id === initial.currentId}
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

function Row({ business, current }: { business: BusinessRow; current: boolean }) {
  const { id, name, role } = business;
  const place = [business.city, business.region].filter(Boolean).join(', ') || business.postal_code;
  const known = [business.trading && TRADING_LABELS[business.trading], business.industry, place];
  const people = business.members > 1 ? `${business.members} members` : null;
  return (
    <li className="card flex flex-wrap items-start gap-x-4 gap-y-3 p-5">
      <Building2 className="mt-1 size-5 shrink-0 text-primary" aria-hidden="true" />
      <div className={classNames('flex-1', current ? 'min-w-28' : 'min-w-40')}>
        <h2 className="text-lg [overflow-wrap:anywhere]">
          <a className="link" href={hrefFor('/dashboard/businesses/[id]', { id })}>
            {name}
          </a>
        </h2>
        <p className="text-sm text-muted">
          {[...known, people].filter(Boolean).join(' · ') || 'No details yet'}
        </p>
        {role === null && <p className="text-sm text-muted">You’re the coach</p>}
      </div>
      {current ? (
        <span className="shrink-0 rounded-control bg-primary-soft px-3 py-1 text-xs font-semibold">
          Current
        </span>
      ) : (
        role !== null &&
        business.archived_at === null && (
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
        )
      )}
    </li>
  );
}

export default screen(BusinessListScreen);

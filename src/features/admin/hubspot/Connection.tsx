import type { HubSpotSync } from '#data/hubspot.ts';
import { momentText } from '#lib/locale/dates.ts';
import { Button } from '#ui/Button.tsx';
import { Notice } from '#ui/Notice.tsx';
import { Section } from '#ui/Section.tsx';

const SCOPES = [
  'crm.objects.contacts.read',
  'crm.objects.contacts.write',
  'crm.objects.companies.read',
  'crm.objects.companies.write',
  'crm.schemas.contacts.read',
  'crm.schemas.companies.read',
];

interface ConnectionProps {
  sync: HubSpotSync;
  /** The reader's IANA time zone. */
  timeZone: string;
  isChecking: boolean;
  onCheck: () => void;
}

/** Whether HubSpot can be reached, and how to connect it if it can't. */
export function Connection({ sync, timeZone, isChecking, onCheck }: ConnectionProps) {
  const { connection } = sync;
  const isFine = connection?.problem === null;
  return (
    <Section id="connection" title="Connection">
      <div className="card mt-3 flex flex-col items-start gap-4 p-5">
        <Notice
          tone={isFine ? 'good' : connection ? 'caution' : 'info'}
          live="polite"
          title={
            isFine
              ? 'HubSpot is connected.'
              : connection
                ? 'Nothing is sent to HubSpot.'
                : 'We haven’t checked yet whether HubSpot is connected.'
          }
        >
          {connection?.problem}
          {connection && (
            <span className="block text-muted">
              Checked {momentText(connection.checked_at, timeZone)}
            </span>
          )}
        </Notice>
        {!connection?.is_connected && <Help idName={sync.mapping.contact.id ?? ''} />}
        <Button
          size="small"
          variant={connection?.is_connected ? 'secondary' : 'primary'}
          needsScript
          pending={isChecking}
          onClick={onCheck}
        >
          {connection ? 'Check again' : 'Check the connection'}
        </Button>
      </div>
    </Section>
  );
}

/** How to get a token and where to put it. */
function Help({ idName }: { idName: string }) {
  return (
    <div className="max-w-[68ch] text-sm">
      <h3 className="text-base font-semibold">How to connect HubSpot</h3>
      <ol className="mt-2 flex list-decimal flex-col gap-3 pl-5">
        <li>
          In HubSpot, open Development, Keys, Service keys, and create a key. You have to be a super
          admin there or have access to developer tools. If you have the token of a private app
          already, you can use that.
        </li>
        <li>
          Give the key these scopes:
          <ul className="mt-1 grid gap-x-4 sm:grid-cols-2">
            {SCOPES.map((scope) => (
              <li key={scope}>
                <code className="wrap-anywhere">{scope}</code>
              </li>
            ))}
          </ul>
        </li>
        <li>
          In HubSpot’s settings, open Properties and create a contact property and a company
          property for our ID: single-line text, with the internal name <code>{idName}</code> and
          “Require unique values for this property” turned on.
        </li>
        <li>
          Give the site the key as <code>HUBSPOT_TOKEN</code> in its environment and restart it. On
          Supabase, that’s <code className="wrap-anywhere">npx supabase secrets set</code>. It isn’t
          stored in the database, and nobody can read it here.
        </li>
        <li>Check the connection here.</li>
      </ol>
    </div>
  );
}

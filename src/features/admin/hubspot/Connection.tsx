import type { HubSpotSync } from '#data/hubspot.ts';
import { ServiceConnection } from '../ServiceConnection.tsx';

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
export const Connection = ({ sync, ...rest }: ConnectionProps) => (
  <ServiceConnection
    {...rest}
    name="HubSpot"
    seen={sync.connection}
    isConnected={sync.connection?.is_connected ?? false}
    help={<Help idName={sync.mapping.contact.id ?? ''} />}
  />
);

/** How to get a token and where to put it. */
function Help({ idName }: { idName: string }) {
  return (
    <div className="max-w-[68ch] text-sm">
      <p>The person who runs the site’s server does this once.</p>
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

import type { WrikeOverview } from '#data/wrike.ts';
import { ServiceConnection } from '../ServiceConnection.tsx';

interface ConnectionProps {
  wrike: WrikeOverview;
  /** The reader's IANA time zone. */
  timeZone: string;
  isChecking: boolean;
  onCheck: () => void;
}

/** Whether Wrike can be reached, whose account it is, and how to connect it if it can't. */
export function Connection({ wrike, ...rest }: ConnectionProps) {
  const { connection } = wrike;
  return (
    <ServiceConnection
      {...rest}
      name="Wrike"
      seen={connection}
      isConnected={connection?.problem === null}
      about={
        connection?.account && (
          <>
            The account is <b>{connection.account.name}</b>, in the data center of{' '}
            <span className="wrap-anywhere">{connection.host}</span>.
          </>
        )
      }
      help={<Help />}
    />
  );
}

/** How to get a token and where to put it. */
const Help = () => (
  <div className="max-w-[68ch] text-sm">
    <p>The person who runs the site’s server does this once.</p>
    <ol className="mt-2 flex list-decimal flex-col gap-3 pl-5">
      <li>
        In Wrike, choose the person whose folders we may use. A person of its own, such as
        “Website”, is best: a token sees what that person sees, and stops working when they leave.
      </li>
      <li>
        Signed in as that person, open Apps &amp; Integrations, then API, create an app, and create
        a permanent access token for it. Wrike shows it only once.
      </li>
      <li>
        Give the site the token as <code>WRIKE_TOKEN</code> in its environment and restart it. On
        Supabase, that’s <code className="wrap-anywhere">npx supabase secrets set</code>. It isn’t
        stored in the database, and nobody can read it here.
      </li>
      <li>
        Look at the address that Wrike has in your browser. If it doesn’t start with{' '}
        <code>www.wrike.com</code>, your account is in another data center: set{' '}
        <code>WRIKE_API_BASE</code>, for example to{' '}
        <code className="wrap-anywhere">https://app-eu.wrike.com/api/v4</code> or{' '}
        <code className="wrap-anywhere">https://app-us2.wrike.com/api/v4</code>.
      </li>
      <li>Check the connection here.</li>
    </ol>
  </div>
);

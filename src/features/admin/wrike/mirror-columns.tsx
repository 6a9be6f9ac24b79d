import type { WrikeMirror } from '#data/wrike.ts';
import { type MirrorStep, mirrorSteps, mirrorText } from '#domain/wrike.ts';
import { momentText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import type { DataColumn } from '#ui/table/columns.ts';
import { mirrorName } from './mirror-name.ts';

const STEP_LABELS: Record<MirrorStep, string> = {
  replay: 'Send again',
  stop: 'Stop',
  continue: 'Continue',
  remove: 'Delete in Wrike',
};

/** Its title, which opens it here, and whose it is. */
const Name = ({ mirror, timeZone }: { mirror: WrikeMirror; timeZone: string }) => (
  <span className="block wrap-anywhere">
    {mirror.project ? (
      <a className="link" href={hrefFor('/dashboard/projects/[id]', { id: mirror.project.id })}>
        {mirrorName(mirror)}
      </a>
    ) : (
      mirrorName(mirror)
    )}
    <span className="block text-xs font-normal text-muted">
      {mirror.project
        ? mirror.project.business.name
        : `Added ${momentText(mirror.created_at, timeZone)}`}
    </span>
  </span>
);

/** The folder it's in, and a link that opens it there. */
const Place = ({ mirror }: { mirror: WrikeMirror }) => (
  <span className="block wrap-anywhere">
    {mirror.folder}
    {mirror.permalink && (
      <a className="link block text-sm" href={mirror.permalink} target="_blank" rel="noreferrer">
        Open in Wrike
        <span className="sr-only">: {mirrorName(mirror)} (in a new tab)</span>
      </a>
    )}
  </span>
);

/** What can be done with it. A test project has nothing to follow. */
function Steps({ mirror }: { mirror: WrikeMirror }) {
  const steps = mirrorSteps(mirror).filter((step) => !mirror.is_test || step !== 'stop');
  return (
    <span className="flex flex-wrap gap-2">
      {steps.map((step) => (
        <Button
          key={step}
          size="small"
          variant={step === 'replay' ? 'secondary' : 'quiet'}
          needsScript
          data-press={step}
        >
          {STEP_LABELS[step]}
          <span className="sr-only">: {mirrorName(mirror)}</span>
        </Button>
      ))}
    </span>
  );
}

/** A row's buttons have the names of its steps. */
export const mirrorColumns = (timeZone: string): DataColumn<WrikeMirror>[] => [
  {
    id: 'project',
    header: 'Project',
    isRowHeader: true,
    cell: (mirror) => <Name mirror={mirror} timeZone={timeZone} />,
    csv: mirrorName,
  },
  { id: 'business', header: 'Business', csv: ({ project }) => project?.business.name ?? null },
  {
    id: 'folder',
    header: 'In Wrike',
    cell: (mirror) => <Place mirror={mirror} />,
    csv: ({ folder }) => folder,
  },
  {
    id: 'state',
    header: 'State',
    cell: (mirror) => (
      <span className="block">
        {mirrorText(mirror)}
        {mirror.reason && (
          <span className="block text-sm wrap-anywhere text-danger">{mirror.reason}</span>
        )}
      </span>
    ),
    csv: (mirror) => [mirrorText(mirror), mirror.reason].filter(Boolean).join(': '),
  },
  {
    id: 'tasks',
    header: 'Tasks',
    align: 'right',
    from: 'wide',
    cell: ({ tasks }) => tasks,
    csv: ({ tasks }) => tasks,
  },
  {
    id: 'sent',
    header: 'Last sent',
    none: 'Never',
    cell: ({ sent_at }) => sent_at && momentText(sent_at, timeZone),
    csv: ({ sent_at }) => sent_at,
  },
  {
    id: 'steps',
    header: 'Change it',
    none: 'Nothing to do',
    cell: (mirror) => (mirrorSteps(mirror).length > 0 ? <Steps mirror={mirror} /> : null),
  },
];

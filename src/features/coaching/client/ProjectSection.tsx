import { Paperclip } from 'lucide-react';
import type { ClientFile, ClientRecord } from '#data/coaching-client.ts';
import { isOpenStatus } from '#domain/project.ts';
import { sizeText } from '#lib/files/file-text.ts';
import { dayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { DueMark, StatusMark } from '#ui/project-marks.tsx';
import { Section } from '#ui/Section.tsx';
import { Still } from '#ui/Still.tsx';
import { dayOfReader, type Reader } from '../when.ts';

interface ProjectsProps {
  client: ClientRecord;
  reader: Reader;
  onDownload: (file: ClientFile) => Promise<void>;
}

/** The client's projects, and the newest files in them. */
export function ProjectSection({ client, reader, onDownload }: ProjectsProps) {
  const { projects, files } = client;
  return (
    <Section id="projects" title="Projects and files" className="card scroll-mt-20 p-5 md:p-6">
      <Still of={[client]}>{() => <Projects projects={projects} reader={reader} />}</Still>
      {files.length > 0 && (
        <>
          <h3 className="mt-4 text-base">Files</h3>
          <ul className="flex flex-col divide-y divide-line">
            {files.map((file) => (
              <li key={file.id} className="flex items-start gap-2 py-2.5">
                <Paperclip className="mt-1 size-4 shrink-0 text-muted" aria-hidden="true" />
                <div className="min-w-0">
                  <button
                    type="button"
                    className="link text-left text-sm wrap-anywhere"
                    onClick={() => void onDownload(file)}
                  >
                    <span className="sr-only">Download </span>
                    {file.name}
                  </button>
                  <p className="text-xs text-muted wrap-anywhere">
                    {sizeText(file.size)} · {file.project_title},{' '}
                    {dayText(file.created_at, reader.timeZone)}
                  </p>
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

const Projects = ({ projects, reader }: Pick<ClientRecord, 'projects'> & { reader: Reader }) => (
  <>
    {projects.length === 0 && <p className="mt-2 text-sm text-muted">No projects yet.</p>}
    <ul className="mt-2 flex flex-col divide-y divide-line empty:hidden">
      {projects.map(({ id, title, status, due_on }) => (
        <li key={id} className="py-2.5 text-sm">
          <a className="link wrap-anywhere" href={hrefFor('/dashboard/projects/[id]', { id })}>
            {title}
          </a>
          <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
            <StatusMark status={status} />
            {due_on && isOpenStatus(status) && (
              <DueMark due={due_on} today={dayOfReader(reader)} open />
            )}
          </p>
        </li>
      ))}
    </ul>
  </>
);

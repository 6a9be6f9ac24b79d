/** What comes with the text of a tool: its video and its files. They need no JavaScript. */
import { lengthText, transcriptOf } from '#domain/captions.ts';
import { toolCaptionsSrc, toolFileHref, toolPictureSrc } from '#domain/tool-media.ts';
import { kindText } from '#lib/files/file-text.ts';

interface ToolVideoProps {
  /** The tool's title. */
  title: string;
  video: { id: string; type: string; size: number; seconds: number | null; poster: string | null };
  /** WebVTT. */
  captions: string;
  /** Where the captions are; by default the published ones. */
  captionsSrc?: string | undefined;
}

/** A video with its captions and a transcript made of them. Nothing but its picture loads before it's played. */
export function ToolVideo({ title, video, captions, captionsSrc }: ToolVideoProps) {
  const { id, type, seconds, poster } = video;
  const transcript = transcriptOf(captions);
  return (
    <figure className="no-print mb-8 max-w-[68ch] print:hidden">
      <video
        controls
        preload="none"
        playsInline
        aria-label={`Video: ${title || 'this tool'}`}
        className="aspect-video w-full rounded-card border border-line bg-raised"
        {...(poster && { poster: toolPictureSrc(poster) })}
      >
        <source src={toolFileHref(id)} type={type} />
        {captions !== '' && (
          <track
            kind="captions"
            srcLang="en"
            label="English"
            src={captionsSrc ?? toolCaptionsSrc(id)}
            default
          />
        )}
        <a href={toolFileHref(id)}>Download the video</a>
      </video>
      <figcaption className="mt-2 text-sm text-muted">
        {seconds !== null && `${lengthText(seconds)} · `}
        <a className="link" href={toolFileHref(id)}>
          Download the video
        </a>{' '}
        ({kindText(video)})
        {transcript.length > 0 && (
          <details className="mt-2">
            <summary className="link inline-flex min-h-11 cursor-pointer items-center md:min-h-0">
              Transcript
            </summary>
            <div className="mt-2 flex flex-col gap-3 text-ink">
              {transcript.map((paragraph) => (
                <p key={paragraph}>{paragraph}</p>
              ))}
            </div>
          </details>
        )}
      </figcaption>
    </figure>
  );
}

interface ToolFilesProps {
  files: readonly { id: string; name: string; type: string; size: number }[];
}

/** The files of a tool to download, with their kinds and sizes. */
export function ToolFiles({ files }: ToolFilesProps) {
  return (
    <ul className="mt-2 flex flex-col gap-2 text-sm">
      {files.map((file) => (
        <li key={file.id} className="wrap-anywhere">
          <a
            className="link inline-flex min-h-11 items-end md:min-h-0"
            href={toolFileHref(file.id)}
          >
            {file.name}
          </a>
          <span className="block text-muted">{kindText(file)}</span>
        </li>
      ))}
    </ul>
  );
}

import type { ReactNode } from 'react';
import type { Tool } from '#data/toolbox.ts';
import { toolFacts } from '#domain/tool.ts';
import type { ToolDownload } from '#lib/content/tool-downloads.ts';
import { calendarDayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Markdown } from '#ui/Markdown.tsx';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { ToolFiles, ToolVideo } from '#ui/ToolMedia.tsx';

interface ToolProps {
  tool: Tool;
  /** Its files. */
  downloads?: readonly ToolDownload[];
  /** An island with what users can do with the tool. */
  actions?: ReactNode;
  /** An island with the tool's calculator, if it has one. */
  calculator?: ReactNode;
  /** An island that names a business, for people without one, if the tool is filled in for one. */
  business?: ReactNode;
}

/** One tool in full. Rendered on the server only; just the islands in its slots need JavaScript. */
function ToolScreen({ tool, downloads = [], actions, calculator, business }: ToolProps) {
  const base = hrefFor('/dashboard/toolbox');
  return (
    <article className="print:[zoom:0.85]">
      <p className="print:hidden">
        <a className="link text-sm" href={`${base}#${tool.slug}`}>
          All tools
        </a>
      </p>
      <header className="mt-5 mb-8 max-w-[68ch] border-b border-line pb-6 print:mt-0 print:mb-4 print:pb-3">
        <p className="eyebrow">{tool.area_name}</p>
        <h1 className="mt-1">{tool.title}</h1>
        <p className="mt-3 text-lg text-muted print:text-base">{tool.summary}</p>
        <p className="mt-4 text-sm text-muted">{toolFacts(tool)}</p>
        {tool.archived && (
          <Notice className="mt-5" title="This tool is no longer offered">
            {tool.archived.reason && <p>{tool.archived.reason}</p>}
            <p>You still see it because you saved it, did it or have a copy of it.</p>
          </Notice>
        )}
        {actions}
        {downloads.length > 0 && <Downloads downloads={downloads} />}
      </header>
      {tool.video && <ToolVideo title={tool.title} video={tool.video} captions={tool.captions} />}
      {tool.files.length > 0 && (
        <div className="mb-8 max-w-[68ch] print:hidden">
          <h2 className="text-base font-semibold">Download it</h2>
          <ToolFiles files={tool.files} />
        </div>
      )}
      {calculator}
      {business && <div className="mb-8 max-w-[68ch] print:hidden">{business}</div>}
      <Markdown text={tool.body_markdown} />
      <footer className="mt-10 max-w-[68ch] border-t border-line pt-5 text-muted">
        <p className="text-sm">
          Last reviewed {calendarDayText(tool.reviewed_on)}.
          {tool.change && ` New in this version: ${tool.change}`}
        </p>
        <ul className="mt-3 flex flex-wrap gap-x-6 gap-y-2 text-sm print:hidden">
          <li>
            <a className="link" href={`${base}?area=${tool.area_key}`}>
              More tools for {tool.area_name.toLowerCase()}
            </a>
          </li>
          <li>
            <a className="link" href={hrefFor('/case-studies/[slug]', { slug: tool.area_key })}>
              How another business did it
            </a>
          </li>
        </ul>
      </footer>
    </article>
  );
}

function Downloads({ downloads }: { downloads: readonly ToolDownload[] }) {
  return (
    <ul className="mt-4 flex flex-wrap gap-x-6 gap-y-1 text-sm print:hidden">
      {downloads.map(({ href, file, link }) => (
        <li key={href}>
          <a className="link inline-flex min-h-11 items-center" href={href} download={file}>
            {link}
          </a>
        </li>
      ))}
    </ul>
  );
}

export default screen(ToolScreen);

import type { ClientRecord } from '#data/coaching-client.ts';
import { calendarDayText } from '#lib/locale/dates.ts';
import { Section } from '#ui/Section.tsx';

interface HandoverProps {
  handover: NonNullable<ClientRecord['handover']>;
  client: ClientRecord;
}

/** What the coach before left for this one. The owner doesn't read it. */
export function HandoverSection({ handover, client }: HandoverProps) {
  const { packet, note } = handover;
  const areas = client.skill_areas.filter(({ key }) => packet.goals.areas.includes(key));
  return (
    <Section id="handover" title="Handover" className="card scroll-mt-20 p-5 md:p-6">
      <p className="mt-1 text-sm text-muted">
        From {handover.from ?? 'the coach before you'}. The owner doesn’t see this.
      </p>
      {note && (
        <p className="mt-3 max-w-[68ch] text-sm whitespace-pre-line wrap-anywhere">{note}</p>
      )}
      {(areas.length > 0 || packet.actions.length > 0 || packet.summaries.length > 0) && (
        <details className="mt-3 text-sm">
          <summary className="link inline-block py-1 pointer-coarse:py-3">
            Goals, actions and summaries as they were
          </summary>
          {areas.length > 0 && (
            <p className="mt-2">Goals: {areas.map(({ name }) => name).join(', ')}.</p>
          )}
          <ul className="mt-2 ml-5 list-disc empty:hidden">
            {packet.actions.map(({ body, doer, due_on }) => (
              <li key={body} className="wrap-anywhere">
                {body}
                <span className="text-muted">
                  {doer === 'coach' && ', the coach'}
                  {due_on && `, due ${calendarDayText(due_on)}`}
                </span>
              </li>
            ))}
          </ul>
          {packet.summaries.map(({ starts_at, summary }) => (
            <p key={starts_at} className="mt-2 max-w-[68ch] whitespace-pre-line wrap-anywhere">
              {summary}
            </p>
          ))}
        </details>
      )}
    </Section>
  );
}

/** Reports of messages: their states and reasons, and how they end. */

export const REPORT_STATES = ['open', 'settled'] as const;
export type ReportState = (typeof REPORT_STATES)[number];

export const REPORT_REASONS = ['spam', 'abuse', 'other'] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

/** The choices shown to someone who reports a message. */
export const REPORT_CHOICES: Record<ReportReason, string> = {
  spam: 'It’s advertising or spam',
  abuse: 'It’s abusive or threatening',
  other: 'Something else',
};

/** The same reasons, as shown to admins. */
export const REASON_LABELS: Record<ReportReason, string> = {
  spam: 'Spam',
  abuse: 'Abusive',
  other: 'Something else',
};

/** How a report ends: nothing happens, or the message is removed. */
export const REPORT_OUTCOMES = ['dismissed', 'removed'] as const;
export type ReportOutcome = (typeof REPORT_OUTCOMES)[number];

export const OUTCOME_LABELS: Record<ReportOutcome, string> = {
  dismissed: 'Message kept',
  removed: 'Message removed',
};

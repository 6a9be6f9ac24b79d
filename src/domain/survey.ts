/** The engagement survey's privacy promises about who can read the responses. */

export const SURVEY_PRIVACIES = ['anonymous', 'confidential'] as const;

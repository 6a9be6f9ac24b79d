/** The engagement survey: what it promises about who reads the answers. */

export const SURVEY_PRIVACIES = ['anonymous', 'confidential'] as const;

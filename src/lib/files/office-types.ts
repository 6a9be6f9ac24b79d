/** The media types of the office files that the site writes. */

const OFFICE = 'application/vnd.openxmlformats-officedocument';

export const OFFICE_TYPES = {
  xlsx: `${OFFICE}.spreadsheetml.sheet`,
  docx: `${OFFICE}.wordprocessingml.document`,
  pptx: `${OFFICE}.presentationml.presentation`,
} as const;

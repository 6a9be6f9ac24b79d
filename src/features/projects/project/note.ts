/** Loads the dialog that asks for a note, which most visits don't need. */
export const loadNoteDialog = () => import('./NoteDialog.tsx');

/** The dialog's text for moving a project to a status. */
export const noteWords = (to: string) =>
  to === 'blocked'
    ? {
        title: 'What’s blocking it?',
        label: 'What has to happen first?',
        hint: 'It shows on the project until you unblock it.',
        action: 'Mark as blocked',
      }
    : {
        title: 'Why reopen it?',
        label: 'What’s left to do?',
        hint: 'It’s kept in the project history.',
        action: 'Reopen',
      };

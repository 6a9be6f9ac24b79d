/** Loads the forms in the dialogs of the security settings. */
export const loadForms = () => import('./SecurityForms.tsx');

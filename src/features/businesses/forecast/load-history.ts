/** Loads the dialog with a forecast's earlier versions. */
export const loadHistory = () => import('./ForecastHistory.tsx');

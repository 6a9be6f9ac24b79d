import { type SparkRow, SparkTable } from '#ui/charts/SparkTable.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';

const snapshots: SparkRow[] = [
  { label: 'Full-time', values: [2, 2, 3, 3, 4, 5] },
  { label: 'Part-time', values: [3, 4, null, 4, 2, 2] },
  { label: 'Annual revenue', values: [186000, 204500, 231000, 228400, 262000, 301500], unit: '$' },
  { label: 'Annual profit', values: [9400, -3200, 12800, 14100, 21700, 33900], unit: '$' },
];

/** Sparklines of sample data. They aren't hydrated. */
const SnapshotsScreen = () => <SparkTable caption="A business’s snapshots" rows={snapshots} />;

export default screen(SnapshotsScreen);

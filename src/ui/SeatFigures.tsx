import { wholeText } from '#lib/locale/numbers.ts';

interface SeatFiguresProps {
  seats: { all: number; free: number; taken: number; ended: number };
  /** How many people wait for one. */
  waiting: number;
}

/** The seats of a program in numbers. */
export function SeatFigures({ seats, waiting }: SeatFiguresProps) {
  const shown: [label: string, value: number][] = [
    ['Seats', seats.all],
    ['Free', seats.free],
    ['Reserved or in use', seats.taken],
    ...(seats.ended > 0 ? [['Ended', seats.ended] as [string, number]] : []),
    ['On the waiting list', waiting],
  ];
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {shown.map(([label, value]) => (
        <div key={label} className="card flex flex-col-reverse p-4">
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="text-xl font-semibold">{wholeText(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

import type { OwnCoach } from '#data/own-coaching.ts';
import { avatarSrc } from '#lib/files/image-request.ts';
import { Avatar } from '#ui/Avatar.tsx';
import type { Reader } from './reader.ts';
import { cityOf } from './times.ts';

export interface CoachFactsProps {
  coach: OwnCoach;
  areas: readonly { key: string; name: string }[];
  reader: Reader;
}

/** "Financial projection, Business planning" */
export const areaNames = (
  keys: readonly string[],
  areas: readonly { key: string; name: string }[],
): string[] => areas.filter(({ key }) => keys.includes(key)).map(({ name }) => name);

/** A coach's photo and name. */
export const CoachHead = ({ coach, children }: { coach: OwnCoach; children?: React.ReactNode }) => (
  <span className="flex items-center gap-3">
    <Avatar
      id={coach.user_id}
      name={coach.full_name}
      src={avatarSrc(coach.avatar_path)}
      size={48}
    />
    <span className="min-w-0">
      <span className="block font-semibold [overflow-wrap:anywhere]">
        {coach.full_name || 'Unnamed coach'}
      </span>
      {children}
    </span>
  </span>
);

/** What a coach is good at, which languages they speak, and where they are. */
export function CoachFacts({ coach, areas, reader }: CoachFactsProps) {
  const rows = [
    ['Good at', areaNames(coach.areas, areas).join(', ')],
    ['Speaks', coach.languages.map((code) => reader.languages[code] ?? code).join(', ')],
    ['Time zone', coach.time_zone ? cityOf(coach.time_zone) : ''],
  ].filter(([, value]) => value);
  return (
    <dl className="grid gap-x-4 gap-y-1.5 text-sm sm:grid-cols-[5.5rem_minmax(0,1fr)]">
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted max-sm:-mb-1">{name}</dt>
          <dd className="[overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

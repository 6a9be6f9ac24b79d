import { useEffect, useState } from 'react';
import { whenIdle } from '#lib/browser/when-idle.ts';
import { browserTimeZone, type TimeZoneOption } from '#lib/locale/time-zones.ts';
import { Button } from '#ui/Button.tsx';
import { Field, type FieldProps } from '#ui/forms/Field.tsx';
import { SuggestInput } from '#ui/forms/SuggestInput.tsx';

interface TimeZoneProps extends Partial<FieldProps<typeof SuggestInput>> {
  zones: readonly TimeZoneOption[];
  /** The field's current value. */
  shown: string;
  onChoose: (label: string) => void;
}

/** A searchable list of time zones, with a button for this browser's if it's a different one. */
export function TimeZoneField({ zones, shown, onChoose, ...rest }: TimeZoneProps) {
  const [here, setHere] = useState<string | null>(null);
  useEffect(() => whenIdle(() => setHere(browserTimeZone())), []);
  const browser = zones.find(({ value }) => value === here);
  return (
    <div className="flex flex-col items-start gap-2">
      <Field
        label="Time zone"
        as={SuggestInput}
        className="w-full"
        suggestions={zones.map(({ label }) => label)}
        placeholder="Not set, so times are in UTC"
        hint="We use this zone for dates and times, here and in emails. Type a city to search."
        {...rest}
      />
      {browser && browser.label !== shown && (
        <Button
          className="-ml-3"
          variant="quiet"
          size="small"
          onClick={() => onChoose(browser.label)}
        >
          Use this browser’s time zone
        </Button>
      )}
    </div>
  );
}

import type { Say } from '#domain/language.ts';
import { takeChosenWork } from '#lib/chosen-work.ts';
import type { NewBusiness } from '#lib/schemas/account.ts';
import { useSay } from '#ui/InLanguage.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';
import { BusinessForm } from './BusinessForm.tsx';
import { NEW_FIELDS } from './edit-fields.ts';
import type { FactSpec } from './FactInput.tsx';

const fieldsIn = (say: Say): [keyof NewBusiness, FactSpec][] => [
  ['name', { ...NEW_FIELDS.name, label: say('Business name') }],
  ['industry', { field: 'industry', label: say('Industry') }],
  ['stage', { field: 'stage', label: say('Stage') }],
];

interface NameBusinessProps {
  userId: string;
  title: string;
  /** What having a business is for here. */
  why: string;
  /**
   * The path and query of this page, to come back to with the user's choices intact. Null on a page
   * that doesn't itself need a business: what they chose to work on before comes next, if anything.
   */
  here: string | null;
}

/**
 * Names a first business right where it's needed: three fields, saved as they're typed. Afterward
 * the page shows what it's for.
 */
function NameBusinessScreen({ userId, title, why, here }: NameBusinessProps) {
  const say = useSay();
  const goOn = () => {
    const chosen = takeChosenWork(userId);
    // Assigning the same address with a fragment wouldn't load the page again.
    if (here === null && chosen) location.assign(chosen);
    else location.reload();
  };
  return (
    <Section id="name-business" title={title} className="card scroll-mt-6 p-5 sm:p-6">
      <p className="mt-1 max-w-[60ch] text-sm text-muted">{why}</p>
      <BusinessForm
        userId={userId}
        fields={fieldsIn(say)}
        submit={say('Save and continue')}
        className="mt-4 flex flex-col gap-3"
        fieldsLook="grid gap-4 sm:grid-cols-3"
        onSaved={goOn}
      />
    </Section>
  );
}

export default screen(NameBusinessScreen);

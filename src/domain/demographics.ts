/** What people can say about themselves, for our statistics. */

export const AGE_GROUPS = [
  { value: 'under-25', label: 'Under 25' },
  { value: '25-34', label: '25 to 34' },
  { value: '35-44', label: '35 to 44' },
  { value: '45-54', label: '45 to 54' },
  { value: '55-64', label: '55 to 64' },
  { value: '65-up', label: '65 or older' },
];
export const GENDERS = [
  { value: 'woman', label: 'Woman' },
  { value: 'man', label: 'Man' },
  { value: 'non-binary', label: 'Non-binary' },
  { value: 'another', label: 'Another gender' },
];
/** Categories of the Office of Management and Budget, Statistical Policy Directive 15 (2024). */
export const ORIGINS = [
  { value: 'native-american', label: 'American Indian or Alaska Native' },
  { value: 'asian', label: 'Asian' },
  { value: 'black', label: 'Black or African American' },
  { value: 'hispanic', label: 'Hispanic or Latino' },
  { value: 'middle-eastern', label: 'Middle Eastern or North African' },
  { value: 'pacific-islander', label: 'Native Hawaiian or Pacific Islander' },
  { value: 'white', label: 'White' },
  { value: 'another', label: 'Another race or ethnicity' },
];
export const PLACES = [
  { value: 'city', label: 'In a city' },
  { value: 'town', label: 'In a town' },
  { value: 'rural', label: 'In a rural area' },
  { value: 'tribal-land', label: 'On tribal land' },
];

const YES_NO = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];
/** The questions, by the name of their column, with their possible answers. */
export const DEMOGRAPHIC_QUESTIONS = [
  { key: 'age_group', label: 'Age', answers: AGE_GROUPS },
  { key: 'gender', label: 'Gender', answers: GENDERS },
  { key: 'origins', label: 'Race or ethnicity', answers: ORIGINS },
  { key: 'place', label: 'Where the business is', answers: PLACES },
  { key: 'veteran', label: 'Served in the armed forces', answers: YES_NO },
  { key: 'disability', label: 'Has a disability', answers: YES_NO },
];

import { screen } from '#ui/ScreenBoundary.tsx';
import { type CoachingProps, OwnCoaching } from './owner/OwnCoaching.tsx';
import { RequestForm } from './owner/RequestForm.tsx';

/** An owner's coaching, with a form to request it for a business that has none. */
const CoachingScreen = (props: CoachingProps) => <OwnCoaching {...props} Form={RequestForm} />;

export default screen(CoachingScreen);

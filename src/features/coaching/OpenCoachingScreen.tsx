import { screen } from '#ui/ScreenBoundary.tsx';
import { type CoachingProps, OwnCoaching } from './owner/OwnCoaching.tsx';

/** The same for an owner with a coach for every business: the form's code waits until it's needed. */
const OpenCoachingScreen = (props: CoachingProps) => <OwnCoaching {...props} Form={null} />;

export default screen(OpenCoachingScreen);

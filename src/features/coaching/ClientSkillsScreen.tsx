import { screen } from '#ui/ScreenBoundary.tsx';
import { SkillSection } from './client/SkillSection.tsx';

/** A client's skills, as far as they're shared. It doesn't need JavaScript. */
export default screen(SkillSection);

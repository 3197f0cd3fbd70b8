import type { FromSkillsPage, ToSkillsPage } from '../../shared/pages/skillsPage';
import type { MakeTab } from '../pages/pageTab';
import type { SkillsTabServices } from './skillsTab';

/** The tabs of what agents read besides messages: instructions, rules, skills, and the prompts. */
export function skillsTab(services: SkillsTabServices): MakeTab<FromSkillsPage, ToSkillsPage> {
  return async (post) => new (await import('./skillsTab')).SkillsTab(services, post);
}

import { commandTable } from '../base/feature';
import { OnePage } from '../pages/onePage';
import { SkillsPanel, type SkillsPanelServices } from './skillsPanel';

/** The page of what agents read besides messages: instructions, rules, skills, and the prompts. */
export function skillsPageFeature(services: SkillsPanelServices) {
  const page = new OnePage('parley.skills', (restored) => new SkillsPanel(services, restored));
  const show = () => page.open().reveal();
  return { commands: commandTable({ 'parley.showSkills': show }), dispose: () => page.dispose() };
}

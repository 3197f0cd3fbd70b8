import { commandTable } from '../base/feature';
import { SkillsPanel, type SkillsPanelServices } from './skillsPanel';

/** The page of what agents read besides messages: instructions, rules, skills, and the prompts. */
export function skillsPageFeature(services: SkillsPanelServices) {
  let panel: SkillsPanel | undefined;
  const show = () => {
    if (!panel) {
      panel = new SkillsPanel(services);
      panel.onDidClose(() => (panel = undefined));
    }
    panel.reveal();
  };
  return { commands: commandTable({ 'parley.showSkills': show }), dispose: () => panel?.dispose() };
}

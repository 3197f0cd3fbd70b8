import './skills.css';
import type { FromSkillsPage, ToSkillsPage } from '../../src/shared/skillsPage';
import { configureWords } from '../base/configureWords';
import { SkillsPage } from './skillsPage';

declare function acquireVsCodeApi(): { postMessage(message: FromSkillsPage): void };

configureWords();
const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');
const api = acquireVsCodeApi();
const page = new SkillsPage(root, (message) => api.postMessage(message));
window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  // VS Code itself also posts to the window.
  if (isMessage(data)) page.receive(data);
});
api.postMessage({ type: 'ready' });

function isMessage(data: unknown): data is ToSkillsPage {
  return typeof data === 'object' && data !== null && 'type' in data && data.type === 'skills';
}

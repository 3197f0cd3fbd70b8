import './rules.css';
import type { FromRulesPage, ToRulesPage } from '../../src/shared/permissionRules';
import { configureWords } from '../base/configureWords';
import { RulesPage } from './rulesPage';

declare function acquireVsCodeApi(): { postMessage(message: FromRulesPage): void };

configureWords();
const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');
const api = acquireVsCodeApi();
const page = new RulesPage(root, (message) => api.postMessage(message));
window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  // VS Code itself also posts to the window.
  if (isMessage(data)) page.receive(data);
});
api.postMessage({ type: 'ready' });

function isMessage(data: unknown): data is ToRulesPage {
  const types = ['rules', 'focusRule', 'ruleSaved'];
  return typeof data === 'object' && data !== null && 'type' in data && types.includes(String(data.type));
}

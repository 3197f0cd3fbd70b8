import './tries.css';
import type { FromTriesPage, ToTriesPage } from '../../src/shared/triesPage';
import { configureWords } from '../base/configureWords';
import { TriesPage, type TriesMemory } from './triesPage';

declare function acquireVsCodeApi(): {
  postMessage(message: FromTriesPage): void;
  getState(): unknown;
  setState(state: unknown): void;
};

configureWords();
const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');
const api = acquireVsCodeApi();
const start = document.querySelector<HTMLMetaElement>('meta[name="parley-start"]')?.content ?? '{}';
const stored = api.getState();
const memory: TriesMemory = { view: 'auto', ...(typeof stored === 'object' ? stored : {}) };
// The state also says which task the page shows, for the window after a reload.
const remember = () => api.setState({ ...memory, ...(JSON.parse(start) as object) });
remember();
const page = new TriesPage(root, (message) => api.postMessage(message), memory, remember);
window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  // VS Code itself also posts to the window.
  if (isMessage(data)) page.receive(data);
});
api.postMessage({ type: 'ready' });

function isMessage(data: unknown): data is ToTriesPage {
  const types = ['tries', 'differences', 'done', 'focusTries'];
  return typeof data === 'object' && data !== null && 'type' in data && types.includes(String(data.type));
}

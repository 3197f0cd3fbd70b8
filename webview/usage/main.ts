import './usage.css';
import type { FromUsagePage, ToUsagePage } from '../../src/shared/usagePage';
import { configureWords } from '../base/configureWords';
import { UsagePage } from './usagePage';

declare function acquireVsCodeApi(): { postMessage(message: FromUsagePage): void };

configureWords();
const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');
const api = acquireVsCodeApi();
const page = new UsagePage(root, (message) => api.postMessage(message));
window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  // VS Code itself also posts to the window.
  if (isMessage(data)) page.receive(data);
});
api.postMessage({ type: 'ready' });

function isMessage(data: unknown): data is ToUsagePage {
  return typeof data === 'object' && data !== null && 'type' in data && data.type === 'usage';
}

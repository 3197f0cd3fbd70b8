import './providers.css';
import type { FromProvidersPage, ToProvidersPage } from '../../src/shared/pages/modelProviders';
import { configureWords } from '../base/configureWords';
import { ProvidersPage } from './providersPage';

declare function acquireVsCodeApi(): { postMessage(message: FromProvidersPage): void };

configureWords();
const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');
// The page's state is never stored, because the user types secrets here.
const api = acquireVsCodeApi();
const page = new ProvidersPage(root, (message) => api.postMessage(message));
window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  // VS Code itself also posts to the window.
  if (isMessage(data)) page.receive(data);
});
api.postMessage({ type: 'ready' });

function isMessage(data: unknown): data is ToProvidersPage {
  return (
    typeof data === 'object' &&
    data !== null &&
    'type' in data &&
    ['providers', 'tools', 'outcome'].includes(String(data.type))
  );
}

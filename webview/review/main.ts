import './review.css';
import type { FromReviewPage, ToReviewPage } from '../../src/shared/reviewPage';
import { configureWords } from '../base/configureWords';
import { ReviewPage, type PageMemory } from './reviewPage';

declare function acquireVsCodeApi(): {
  postMessage(message: FromReviewPage): void;
  getState(): unknown;
  setState(state: unknown): void;
};

configureWords();
const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');
const api = acquireVsCodeApi();
const start = document.querySelector<HTMLMetaElement>('meta[name="parley-start"]')?.content ?? '{}';
const stored = api.getState();
const memory: PageMemory = { view: 'auto', showsDecided: false, ...(typeof stored === 'object' ? stored : {}) };
// The state also says which changes the page shows, for the window after a reload.
const remember = () => api.setState({ ...memory, ...(JSON.parse(start) as object) });
remember();
const page = new ReviewPage(root, (message) => api.postMessage(message), memory, remember);
window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  // VS Code itself also posts to the window.
  if (isMessage(data)) page.receive(data);
});
api.postMessage({ type: 'ready' });

function isMessage(data: unknown): data is ToReviewPage {
  const types = ['review', 'reviewContent', 'reviewChanged', 'comments', 'commentSent', 'focusReview'];
  return typeof data === 'object' && data !== null && 'type' in data && types.includes(String(data.type));
}

import './styles/main.css';
import * as l10n from '@vscode/l10n';
import { ChatPage } from './chatPage';

/** The host puts its bundle of translations into the page; without one everything is in English. */
function configureWords(): void {
  const contents = document.querySelector<HTMLMetaElement>('meta[name="parley-l10n"]')?.content ?? '';
  if (contents !== '') l10n.config({ contents });
}

configureWords();
const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');
const page = new ChatPage(root);
window.addEventListener('error', ({ message }) => page.post({ type: 'pageError', message }));
window.addEventListener('unhandledrejection', ({ reason }) =>
  page.post({ type: 'pageError', message: `Unhandled rejection: ${String(reason)}` }),
);
page.start();

import './styles/main.css';
import { ChatPage } from './chatPage';
import { configureWords } from './base/configureWords';

configureWords();
const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');
const page = new ChatPage(root);
window.addEventListener('error', ({ message }) => page.reportError(message));
window.addEventListener('unhandledrejection', ({ reason }) =>
  page.reportError(`Unhandled rejection: ${String(reason)}`),
);
page.start();

import './parley.css';
import { parleyTabs, type FromParleyPage, type ParleyTab, type ToParleyPage } from '../../src/shared/pages/parleyPage';
import { startEditorPage } from '../base/editorPage';
import { ParleyPage } from './parleyPage';

const types: readonly ToParleyPage['type'][] = [
  'tab',
  'agents',
  'presets',
  'skills',
  'rules',
  'focusRule',
  'ruleSaved',
  'usage',
  'setup',
];
const first: { tab: ParleyTab } = { tab: parleyTabs[0] };

startEditorPage<ToParleyPage, typeof first>(
  types,
  first,
  (root, post: (message: FromParleyPage) => void, memory, remember) => {
    // The window may have reloaded, and the extension host doesn't know what was selected.
    post({ type: 'showTab', tab: memory.tab });
    return new ParleyPage(root, post, (tab) => {
      memory.tab = tab;
      remember();
    });
  },
);

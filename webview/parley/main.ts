import './parley.css';
import { parleyTabs, type FromParleyPage, type ParleyTab, type ToParleyPage } from '../../src/shared/pages/parleyPage';
import { startEditorPage } from '../base/editorPage';
import { ParleyPage } from './parleyPage';

const types: { readonly [Type in ToParleyPage['type']]: true } = {
  tab: true,
  agents: true,
  presets: true,
  skills: true,
  rules: true,
  focusRule: true,
  ruleSaved: true,
  usage: true,
  setup: true,
};
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

import { editorContract } from '../../contract/all';
import { suite, test } from '../api';
import { scratchFolder } from '../filesSupport';

suite('the real editor', () => {
  editorContract({ suite, test }, { folder: scratchFolder, mayThrow: () => undefined });
});

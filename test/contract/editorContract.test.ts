import { suite, test } from 'node:test';
import { listenerErrors } from '../unit-support/vscode';
import { tempFolder } from '../unit-support/tempFolder';
import { editorContract } from './all';

void suite('the editor of plain Node', () => {
  editorContract(
    {
      suite: (name, define) => void suite(name, define),
      test: (name, body) =>
        void test(name, async (context) => {
          await body(context);
        }),
    },
    {
      folder: (context) => Promise.resolve(tempFolder(context)),
      mayThrow: (context) => {
        listenerErrors.areExpected = true;
        context.after(() => (listenerErrors.areExpected = false));
      },
    },
  );
});

import { suite, test } from 'node:test';
import type { TextDocument } from 'vscode';
import { DeskParts } from '../desk/deskParts';
import type { FakeDocument } from '../unit-support/fakeDocuments';
import { editor, listenerErrors } from '../unit-support/vscode';
import { tempFolder } from '../unit-support/tempFolder';
import { editorContract } from './all';

let parts: DeskParts;

void suite('the editor of plain Node', () => {
  editorContract(
    {
      suite: (name, define) => void suite(name, define),
      test: (name, body) =>
        void test(name, async (context) => {
          editor.reset();
          parts = new DeskParts();
          try {
            await body(context);
          } finally {
            parts.dispose();
            editor.forgetListeners();
          }
        }),
    },
    {
      folder: (context) => {
        const folder = tempFolder(context);
        editor.folders = [folder];
        return Promise.resolve(folder);
      },
      until: async (isTrue) => {
        // What is waited for comes from the disk, and from nobody who could be asked to tell.
        while (!isTrue()) await new Promise(setImmediate);
      },
      accept: () => parts.inputs.accepts(),
      escape: async () => {
        await parts.inputs.isOpen();
        parts.inputs.close();
      },
      discard: (document: TextDocument) => {
        (document as unknown as FakeDocument).revert();
        return Promise.resolve();
      },
      mayThrow: (context) => {
        listenerErrors.areExpected = true;
        context.after(() => (listenerErrors.areExpected = false));
      },
    },
  );
});

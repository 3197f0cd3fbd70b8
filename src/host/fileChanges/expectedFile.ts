import type * as vscode from 'vscode';
import { isSameContent } from '../../review/files/fileState';
import { isSameRef } from '../../review/files/fileRef';
import { presentFile } from '../workspaceFiles/presentFile';
import { presentState } from '../workspaceFiles/presentState';
import { ChangeRefused, type ExpectedFile } from './fileChange';

/** Rejects if a file isn't what it must be. */
export async function assertExpected(uri: vscode.Uri, expected: ExpectedFile): Promise<void> {
  if (!(await isAsExpected(uri, expected))) throw new ChangeRefused('changed');
}

async function isAsExpected(uri: vscode.Uri, expected: ExpectedFile): Promise<boolean> {
  if ('states' in expected) {
    const now = await presentState(uri, expected.like);
    return expected.states.some((one) => isSameContent(now, one));
  }
  const { ref, isUnsaved } = await presentFile(uri);
  return isSameRef(ref, expected.ref) && (expected.isUnsaved ?? isUnsaved) === isUnsaved;
}

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import * as vscode from 'vscode';
import { TabInputWebview, window } from '../../../test/unit-support/vscode';
import { chatPanelType, targetColumn } from './targetColumn';

const groups = window.tabGroups as unknown as {
  all: { viewColumn: number; activeTab?: { input: unknown } }[];
  activeTabGroup: { activeTab?: { input: unknown } };
};

afterEach(() => {
  groups.all = [];
  groups.activeTabGroup = {};
});

/** Opens tab groups whose front tabs are webviews of these types. The last one is active. */
function show(...types: readonly string[]): void {
  groups.all = types.map((type, at) => ({
    viewColumn: at + 1,
    activeTab: { input: new TabInputWebview(`mainThreadWebview-${type}`) },
  }));
  groups.activeTabGroup = groups.all.at(-1) ?? {};
}

test('a file covers the review page, and no chat', () => {
  show('parley.reviewPage');
  assert.equal(targetColumn(), vscode.ViewColumn.Active);
  show(chatPanelType, 'parley.reviewPage');
  assert.equal(targetColumn(), vscode.ViewColumn.Active);
  show(chatPanelType);
  assert.equal(targetColumn(), vscode.ViewColumn.Beside);
  show('parley.reviewPage', chatPanelType);
  assert.equal(targetColumn(), 1);
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { LazyParser } from '../../../src/host/permissions/lazyParser';
import { parseLine } from '../../../src/rules/line/shellLine';
import { suite, test } from '../api';

suite('the parser for command lines', () => {
  test('is loaded from the files beside the extension', async () => {
    const extension = vscode.extensions.getExtension('parley.parley-acp');
    assert.ok(extension);
    const problems: string[] = [];
    const log = { error: (text: string) => void problems.push(text) };
    const parser = await new LazyParser(join(extension.extensionPath, 'dist', 'tree-sitter'), log).get();
    assert.deepEqual(problems, []);
    const { commands, problem } = parseLine('npm test && echo "a; b" | head -5', parser);
    assert.equal(problem, undefined);
    assert.deepEqual(
      commands.map(({ text }) => text),
      ['npm test', "echo 'a; b'", 'head -5'],
    );
  });
});

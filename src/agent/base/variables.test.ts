import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expandVariables, type VariableContext } from './variables';

const noFolder: VariableContext = {
  workspaceFolders: [
    { name: 'api', path: '/srv/api' },
    { name: 'web: new', path: '/srv/web' },
  ],
  userHome: '/home/ada',
  env: { TOKEN: 'abc', TRICK: '${userHome}' },
  pathSeparator: '/',
};
const context: VariableContext = { ...noFolder, workspaceFolder: '/srv/api' };

function expand(text: string, more: Partial<VariableContext> = {}): string {
  const { text: expanded, unknown } = expandVariables(text, { ...context, ...more });
  assert.deepEqual(unknown, []);
  return expanded;
}

test('replaces every variable, including several in one text', () => {
  assert.equal(expand('${workspaceFolder}${pathSeparator}bin:${userHome}'), '/srv/api/bin:/home/ada');
  assert.equal(expand('${workspaceFolder:api} ${workspaceFolder:web: new}'), '/srv/api /srv/web');
  assert.equal(expand('Bearer ${env:TOKEN}'), 'Bearer abc');
  assert.equal(expand('$HOME {x} ${'), '$HOME {x} ${');
});

test('an unset environment variable is empty, as in VS Code', () => {
  assert.equal(expand('[${env:NONE}]'), '[]');
});

test('environment variable names ignore case on Windows only', () => {
  assert.equal(expand('${env:token}'), '');
  assert.equal(expand('${env:token}', { envIsCaseSensitive: false }), 'abc');
});

test("does not expand a variable's value again", () => {
  assert.equal(expand('${env:TRICK}'), '${userHome}');
});

test('reports unknown variables and leaves them unchanged', () => {
  const result = expandVariables('${workspaceFolder} ${workspaceFolder:x} ${file} ${env:} ${userHome:x} ${}', noFolder);
  assert.equal(result.text, '${workspaceFolder} ${workspaceFolder:x} ${file} ${env:} ${userHome:x} ${}');
  assert.deepEqual(result.unknown, result.text.split(' '));
});

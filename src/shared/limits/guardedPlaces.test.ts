import assert from 'node:assert/strict';
import test from 'node:test';
import { guardedPlace } from './guardedPlaces';

test('guards files that run programs or decide what agents may do', () => {
  const guarded = [
    '/w/.vscode/settings.json',
    '/w/.vscode/tasks.json',
    '/w/packages/a/.vscode/mcp.json',
    '/w/.git/hooks/post-checkout',
    '/w/.git/config',
    '/w/.git',
    '/w/.husky/pre-commit',
    '/w/a.code-workspace',
    '/w/.claude/settings.local.json',
    '/w/.mcp.json',
    '/w/.gemini/settings.json',
    '/w/.codex/config.toml',
    '/w/opencode.json',
    '/w/.cursor/mcp.json',
    '/w/.envrc',
    '/w/.npmrc',
    '/w/.devcontainer/devcontainer.json',
    '/w/.github/workflows/ci.yml',
    '/home/me/.bashrc',
    '/home/me/.config/fish/config.fish',
    '/home/me/.config/Code/User/settings.json',
    '/Users/me/Library/Application Support/Code/User/workspaceStorage/a/state.vscdb',
    '/home/me/.ssh/authorized_keys',
  ];
  for (const path of guarded) assert.ok(guardedPlace(path), path);
});

test('guards other spellings of a guarded name', () => {
  for (const path of ['/w/.VSCODE/settings.json', 'C:\\w\\.vscode\\tasks.json', '/w/.git./config', '/w/.npmrc::$DATA'])
    assert.ok(guardedPlace(path), path);
});

test('does not guard common files', () => {
  for (const path of ['/w/src/a.ts', '/w/.gitignore', '/w/.github/ISSUE_TEMPLATE.md', '/w/vscode/a', '/w/package.json'])
    assert.equal(guardedPlace(path), undefined, path);
});

test("judges a project inside a guarded folder by the project's own paths", () => {
  const root = '/home/me/.codex/worktrees/app';
  assert.equal(guardedPlace(`${root}/src/a.ts`, root), undefined);
  assert.deepEqual(guardedPlace(`${root}/.git/config`, root), { reason: 'gitHooks' });
});

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

/**
 * All places that start a program, and which one. A place that isn't here is an error: say here why what it starts isn't an agent's, or run git
 * with `safeGit`.
 */
const starts: Readonly<Record<string, string>> = {
  'src/agent/process/agentProcess.ts': 'the agent that the user chose',
  'src/agent/process/watchdog.ts': 'the editor’s own Node',
  'src/agent/launch/shellEnvironment.ts': 'the user’s login shell, by its path',
  'src/agent/setup/checkProgram.ts': 'what the user asked to check',
  'src/git/git.ts': 'git, by its path, without what a repository names, or for the places below',
  'src/git/usableGit.ts': 'a program of macOS, by its path',
  'src/host/attention/osNotifier.ts': 'a program of the system',
  'src/host/awake/awake.ts': 'a program of the system',
  'src/host/registry/runProgram.ts': 'what installs an agent that the user chose',
  'src/process/run.ts': 'a program of the system',
  'src/sandbox/keeper/browser.ts': 'the editor’s own Node, inside of the sandbox',
  'src/sandbox/keeper/holds.ts': 'programs of the system, by their paths',
  'src/sandbox/keeper/startSandbox.ts': 'the editor’s own Node',
  'src/sandbox/sandboxNeeds.ts': 'a program of the system, by its path',
  'src/terminal/linuxPty.ts': 'a command of the agent that the user or a rule allowed',
  'src/terminal/pipeProcess.ts': 'a command of the agent that the user or a rule allowed',
  'src/terminal/ptyProcess.ts': 'a command of the agent that the user or a rule allowed',
};

/** All places that run the user's own git, with hooks and filters, by its commands. What the user starts there needs them. */
const full: Readonly<Record<string, readonly string[]>> = {
  'src/host/commit/gitCommit.ts': ['add', 'commit', 'rm'],
  'src/worktree/made/createWorktree.ts': ['worktree'],
  'src/worktree/end/endWorktree.ts': ['branch', 'commit', 'config', 'switch', 'worktree'],
  'src/worktree/copy/fetchCopy.ts': ['rev-parse'],
  'src/worktree/bring/mergeBranch.ts': ['merge'],
};

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((name) => join('src', name).split('\\').join('/'))
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));

test('every place that starts a program is known', () => {
  const found = files.filter((file) =>
    /from 'node:child_process'|native\.fork\(|module\.spawn\(/.test(
      readFileSync(file, 'utf8').replace(/^import type .*$/gm, ''),
    ),
  );
  assert.deepEqual(found.sort(), Object.keys(starts).sort());
});

test('every place that runs git with hooks and filters is known', () => {
  const found: Record<string, string[]> = {};
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const commands = [
      ...text.matchAll(/(?:userGit|fullGit)\((?:[^[\n]|\[(?!['"]))*\[(?:\.\.\.\w+,\s*)?'([\w-]+)'/g),
    ].map(([, name = '']) => name);
    if (commands.length > 0) found[file] = [...new Set(commands)].sort();
  }
  assert.deepEqual(found, full);
});

// @ts-check
// Tests that can't pass under Wine although they pass on Windows, with the evidence. Their failures count as skipped. An unexpected pass
// counts as a failure, so that the list stays short.

/**
 * @typedef {object} Limit
 * @property {string} [file] the test's file; integration tests have none
 * @property {string} name the test's name
 * @property {string} why the limit of Wine, with evidence
 * @property {boolean} [sometimes] true if the test passes at times
 * @property {boolean} [slow] true if the test takes long to fail, so that full runs skip it
 */

const noGit =
  'Git for Windows isn’t in a package registry, and Linux’s Git can’t be started there (`spawn git ENOENT`)';
const openPipe =
  'a pipe stays open for the other side when a program closes its end by number: `node -e "fs.closeSync(1); setTimeout(() => {}, 9e3)"` ends nobody’s reading';

const noKeepAlive = 'npm can’t connect: `setsockopt Unknown IPPROTO_TCP optname 0x00000003` (TCP_KEEPALIVE)';

const noOutput =
  'a pseudoterminal gives nothing to read: `node-pty` alone reads nothing from `cmd.exe /d /c dir`, which exits with 0, and can’t start its own `conpty.dll`';
const percent =
  'variables are looked for in what a batch file has just inserted: `@echo %1 %*` with the argument `"a%b"` prints `"a*`';

const noCreationTime =
  'a folder’s creation time is that of its last change: `lstatSync` after a file is made in it gives a new `birthtimeMs`, so Parley keeps the folder';

const noFileLink =
  'a link to a file isn’t created: `symlinkSync(target, path)` succeeds, and `existsSync(path)` is false afterwards';
const noGo = 'esbuild’s program, which is written in Go, ends at its start, in `runtime.osinit`, and isn’t installed';

/** @type {readonly Limit[]} */
export const limits = [
  { name: "terminals of Windows › keeps a command's output with a pseudoterminal", why: noOutput },
  {
    name: 'terminals of Windows › passes percent signs through a batch file with a pseudoterminal',
    why: percent,
  },
  { name: 'terminals of Windows › passes percent signs through a batch file with pipes', why: percent },
  {
    name: 'files of Windows › reads and writes a path of more than 260 characters',
    why: 'Node can’t resolve the path: `realpath` fails with UNKNOWN, though `mkdir` and `writeFile` work',
  },
  {
    name: 'code from an agent › runs in a terminal only after the user confirms all text',
    why: 'a terminal of VS Code ends at once: `createTerminal({ shellPath: "C:\\windows\\system32\\cmd.exe" })` has no process and exits without a code',
    slow: true,
  },
  {
    name: 'outside the workspace › no file is opened before the user answers',
    why: 'access times aren’t kept: `lstatSync` gives the present after `utimesSync(path, 1, new Date())`, though nothing reads the file',
  },
  {
    name: "no change is missed, and no undo loses the user's files › removes folders that the agent made, also in place of files",
    why: noCreationTime,
  },
  {
    file: 'src/host/registry/npmInstaller.test.ts',
    name: 'fails before downloading if this Node.js is too old',
    why: noKeepAlive,
  },
  {
    file: 'src/host/registry/npmInstaller.test.ts',
    name: "fails with a reason if npm can't reach its registry",
    why: noKeepAlive,
  },
  {
    file: 'src/host/registry/npmInstaller.test.ts',
    name: 'fails with a reason if a version no longer exists',
    why: noKeepAlive,
  },
  {
    file: 'src/host/registry/npmInstaller.test.ts',
    name: "installs nothing if a download doesn't match its checksum",
    why: noKeepAlive,
  },
  {
    file: 'src/host/registry/npmInstaller.test.ts',
    name: 'installs nothing if npm delivers other content than announced',
    why: noKeepAlive,
  },
  { file: 'src/host/registry/npmInstaller.test.ts', name: 'leaves nothing when the user cancels', why: noKeepAlive },
  {
    file: 'src/host/registry/npmInstaller.test.ts',
    name: 'shows the command first, and later starts offline without npm',
    why: noKeepAlive,
  },
  { file: 'src/host/registry/npmInstaller.test.ts', name: 'runs no install scripts', why: noKeepAlive },
  {
    file: 'src/host/registry/npmInstaller.test.ts',
    name: "runs a program that isn't written for Node.js directly",
    why: noKeepAlive,
  },
  { file: 'src/host/registry/npmInstaller.test.ts', name: 'replaces the same version', why: noKeepAlive },
  {
    file: 'src/baseline/nestedRepositories.test.ts',
    name: 'a nested repository has its own baseline, tracked or not',
    why: noGit,
  },
  {
    file: 'src/baseline/nestedRepositories.test.ts',
    name: "reads a submodule's files after its folder is deleted",
    why: noGit,
  },
  {
    file: 'src/baseline/nestedRepositories.test.ts',
    name: 'lists a repository created in a turn as new files',
    why: noGit,
  },
  { file: 'src/baseline/nestedRepositories.test.ts', name: 'reports a deleted repository as one change', why: noGit },
  {
    file: 'src/baseline/nestedRepositories.test.ts',
    name: 'repositories inside a plain folder have their own baselines',
    why: noGit,
  },
  {
    file: 'src/baseline/nestedRepositories.test.ts',
    name: 'records a project ignored by its outer repository as a folder',
    why: noGit,
  },
  {
    file: 'src/baseline/nestedRepositories.test.ts',
    name: 'records generated folders outside a repository unless they are large',
    why: noGit,
  },
  {
    file: 'src/baseline/nestedRepositories.test.ts',
    name: 'reports created and deleted empty folders if creation times are available',
    why: noGit,
  },
  {
    file: 'src/baseline/nestedRepositories.test.ts',
    name: "records a repository's hooks and configuration, but ignores branch sections",
    why: noGit,
  },
  {
    file: 'src/baseline/nestedRepositories.test.ts',
    name: "records a submodule's hooks and configuration where git stores them",
    why: noGit,
  },
  {
    file: 'src/baseline/nestedRepositories.test.ts',
    name: 'distinguishes 2,000 new files from ignored ones without many processes',
    why: noGit,
  },
  {
    file: 'src/baseline/baseline.test.ts',
    name: 'returns content from before the turn, whatever git does later',
    why: noGit,
  },
  {
    file: 'src/baseline/baseline.test.ts',
    name: 'records a repository without commits or a plain folder by file',
    why: noGit,
  },
  {
    file: 'src/baseline/lineBreaks.test.ts',
    name: 'reads a file that git converts with its line breaks on disk',
    why: noGit,
  },
  {
    file: 'src/baseline/ignoredFolders.test.ts',
    name: 'reads no file in an ignored folder of a repository as absent',
    why: noGit,
  },
  {
    file: 'src/baseline/unprotected.test.ts',
    name: 'records files beyond the first ones while the turn runs',
    why: noGit,
  },
  {
    file: 'src/baseline/unprotected.test.ts',
    name: "git clean -fdx is undone for the user's own ignored files",
    why: noGit,
  },
  {
    file: 'src/baseline/unprotected.test.ts',
    name: 'names what is unprotected below a folder named like generated ones, in a repository',
    why: noGit,
  },
  {
    file: 'src/baseline/unprotected.test.ts',
    name: 'lists new files of a recorded ignored folder, many as the folder',
    why: noGit,
  },
  {
    file: 'src/terminal/terminalEnvironment.test.ts',
    name: 'git uses the message unchanged instead of opening an editor',
    why: noGit,
  },
  {
    file: 'src/host/ide/readTools.test.ts',
    name: 'is never outside of the folders of the session',
    why: noFileLink,
  },
  {
    file: 'src/host/ide/readTools.test.ts',
    name: 'begin with errors and are those of the session’s own files',
    why: noFileLink,
  },
  {
    file: 'src/host/ide/readTools.test.ts',
    name: 'is nothing without a file of the session',
    why: noFileLink,
  },
  {
    file: 'src/host/ide/readTools.test.ts',
    name: 'is a list of open editors, without those of other folders',
    why: noFileLink,
  },
  {
    file: 'src/host/ide/readTools.test.ts',
    name: 'are those of the session’s own files',
    why: noFileLink,
  },
  {
    file: 'src/host/awake/awake.test.ts',
    name: 'ends when the process that started it is killed',
    why: noGo,
  },
  {
    file: 'src/host/base/lateRe2.test.ts',
    name: 're2js is loaded with the first pattern, and matches as itself',
    why: noGo,
  },
  {
    file: 'src/host/review/deciding/undoOnDisk.test.ts',
    name: 'an undo leaves a new folder that has the user’s files',
    why: noCreationTime,
  },
  { file: 'src/review/lines/alignHunks.test.ts', name: 'merges like git where git has no conflict', why: noGit },
  {
    file: 'src/acp/wire/ndjson.test.ts',
    name: 'a broken pipe closes the writer and rejects waiting writes',
    why: openPipe,
  },
  {
    file: 'src/agent/connection/agentCutOff.test.ts',
    name: 'gets a notice about a closed connection if it keeps running',
    why: openPipe,
  },
  { file: 'src/agent/connection/agentCutOff.test.ts', name: 'gets the same notice at the start', why: openPipe },
];

/**
 * Wraps a report and applies Wine's limits to its outcomes.
 * @param {import('../runner/schedule.mjs').Report} report
 * @returns {import('../runner/schedule.mjs').Report}
 */
export function withLimits(report) {
  return {
    add(outcome) {
      const limit = limits.find(({ file, name }) => file === outcome.file && name === outcome.name);
      if (limit === undefined || outcome.skipped) report.add(outcome);
      else if (outcome.error !== undefined) {
        report.add({ name: outcome.name, file: outcome.file, skipped: true, note: `a limit of Wine: ${limit.why}` });
      } else if (limit.sometimes) report.add(outcome);
      else report.add({ ...outcome, error: 'It passes. Remove it from test/windows/limits.mjs.' });
    },
  };
}

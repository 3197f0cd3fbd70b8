import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTerminalService, type TerminalServiceOptions } from '../../../src/host/terminals/terminalService';
import { isAlive } from '../../../src/process/isAlive';
import type { ClientContext, TerminalEvents } from '../../../src/session/services';
import type { SessionKey } from '../../../src/shared/values/ids';
import { suite, test, type TestContext } from '../api';
import { never, outsideFolder } from '../filesSupport';
import { needsWindows } from '../platform';
import { until } from '../poll';

/** Makes the editor's executable act as Node on the desktop, too. */
const env = { ELECTRON_RUN_AS_NODE: '1' };
const quiet: TerminalEvents = { onOutput: () => undefined, onExit: () => undefined };
/** Commands run with pipes. */
const noPty = { loadPty: () => Promise.reject(new Error('no pseudoterminals here')) };

/** A program that writes its arguments to the file that `TO` names. */
const tellsArguments = `
  const { renameSync, writeFileSync } = require('fs');
  writeFileSync(process.env.TO + '.part', JSON.stringify(process.argv.slice(2)));
  renameSync(process.env.TO + '.part', process.env.TO);
`;

/** What agents pass to PowerShell and other programs, with every character that a shell of Windows treats specially. */
const strangeArguments = [
  '-NoProfile',
  '-Command',
  `& { Get-ChildItem -Path "C:\\a b\\" | Where-Object { $_.Name -like '*.ts' }; Write-Output "100" }`,
  '$env:PATH; `"quoted`" @{ a = 1 }',
  '',
  'C:\\folder with spaces\\',
  'say "hello" \\" \\\\',
  '^ & | < > ( ) ! , ; =',
  'Grüße 日本 🙂',
];
const percents = ['100%', '%PATH%', '%%a'];

async function setUp(context: TestContext, more: Partial<TerminalServiceOptions> = {}) {
  needsWindows(context);
  const folder = await outsideFolder(context);
  const service = createTerminalService({ baseEnvironment: () => Promise.resolve(process.env), ...more });
  context.after(() => service.stopAll());
  const session: ClientContext = {
    session: 'session-of-a-test' as SessionKey,
    agentName: 'Test',
    cwd: folder,
    ask: () => Promise.resolve(undefined),
  };
  const run = (command: string, args: readonly string[] = [], variables: Record<string, string> = {}) =>
    service.create(session, { command, args: [...args], env: { ...env, ...variables } }, quiet);
  return { folder, service, session, run };
}

/** Runs a program by its name, which only its batch file has, and returns the arguments that it got. */
async function throughBatchFile(
  context: TestContext,
  options: Partial<TerminalServiceOptions>,
  args: readonly string[],
): Promise<unknown> {
  const { folder, run } = await setUp(context, options);
  const shims = join(folder, 'Zoë Ünal (x86) & co');
  await mkdir(shims);
  const [program, to] = [join(folder, 'tells.js'), join(folder, 'told.json')];
  await writeFile(program, tellsArguments);
  await writeFile(join(shims, 'pwsh.cmd'), `@"${process.execPath}" "${program}" %*\r\n`);
  // Names of variables ignore case, and only the agent knows this folder.
  const path = `${shims};${process.env['Path'] ?? process.env['PATH'] ?? ''}`;
  const terminal = await run('pwsh', args, { pAtH: path, TO: to });
  assert.deepEqual(await terminal.waitForExit(never), { exitCode: 0 });
  return JSON.parse(await readFile(to, 'utf8'));
}

suite('terminals of Windows', () => {
  for (const [driver, options] of [
    ['a pseudoterminal', {}],
    ['pipes', noPty],
  ] as const) {
    test(`runs a line in cmd.exe with ${driver}`, async (context) => {
      const { folder, run } = await setUp(context, options);
      const terminal = await run('echo one "two  three">out.txt& exit 3');
      assert.deepEqual(await terminal.waitForExit(never), { exitCode: 3 });
      assert.equal(await readFile(join(folder, 'out.txt'), 'utf8'), 'one "two  three"\r\n');
    });

    test(`passes arguments to a program unchanged with ${driver}`, async (context) => {
      const { folder, run } = await setUp(context, options);
      const [program, to] = [join(folder, 'tells.js'), join(folder, 'told.json')];
      await writeFile(program, tellsArguments);
      const args = [...strangeArguments, ...percents];
      const terminal = await run(process.execPath, [program, ...args], { TO: to });
      assert.deepEqual(await terminal.waitForExit(never), { exitCode: 0 });
      assert.deepEqual(JSON.parse(await readFile(to, 'utf8')), args);
    });

    test(`passes arguments through a batch file unchanged with ${driver}`, async (context) => {
      assert.deepEqual(await throughBatchFile(context, options, strangeArguments), strangeArguments);
    });

    test(`passes percent signs through a batch file with ${driver}`, async (context) => {
      assert.deepEqual(await throughBatchFile(context, options, percents), percents);
    });

    test(`stops a command and its children with ${driver}`, async (context) => {
      const { folder, run } = await setUp(context, options);
      const pids = join(folder, 'pids.json');
      const parent = `
        const { spawn } = require('child_process');
        const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
        require('fs').writeFileSync(process.env.TO + '.part', JSON.stringify([process.pid, child.pid]));
        require('fs').renameSync(process.env.TO + '.part', process.env.TO);
        setInterval(() => {}, 1000);`;
      const terminal = await run(process.execPath, ['-e', parent], { TO: pids });
      const read = () => readFile(pids, 'utf8').catch(() => '');
      await until(async () => (await read()) !== '');
      const started = JSON.parse(await read()) as number[];
      assert.deepEqual(started.map(isAlive), [true, true]);
      await terminal.kill();
      await terminal.waitForExit(never);
      await until(() => !started.some(isAlive));
    });

    test(`keeps a command's output with ${driver}`, async (context) => {
      const { run } = await setUp(context, options);
      const terminal = await run('echo first& echo second');
      assert.deepEqual(await terminal.waitForExit(never), { exitCode: 0 });
      assert.match(terminal.output().output, /first\r?\nsecond/);
    });
  }

  test('a batch file accepts no argument with a line break', async (context) => {
    const { folder, run } = await setUp(context);
    await writeFile(join(folder, 'tool.cmd'), '@echo off\r\n');
    await assert.rejects(run(join(folder, 'tool.cmd'), ['one\r\ncalc.exe']), /can't take arguments with line breaks/);
  });
});

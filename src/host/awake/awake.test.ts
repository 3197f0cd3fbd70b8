import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { build } from 'esbuild';
import { settle } from '../../../test/unit-support/fakeSession';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { isAlive } from '../../process/isAlive';
import { Awake } from './awake';
import { awakeProgram, type AwakeProgram, type AwakeWhen } from './awakeProgram';
import { isOnMains } from './feature';
import { SleepWatch } from './sleepWatch';

/** A program that ends with its input, as the real ones do. */
const waiting: AwakeProgram = {
  program: process.execPath,
  args: ['-e', 'process.stdin.resume()'],
  env: {},
  knowsPower: false,
};

async function untilGone(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((resolve) => setImmediate(resolve));
}

function setUp(context: TestContext, program: AwakeProgram = waiting) {
  const state = { when: 'onMains' as AwakeWhen, mains: true as boolean | undefined };
  const logged: string[] = [];
  const awake = new Awake({
    when: () => state.when,
    program: () => program,
    isOnMains: () => Promise.resolve(state.mains),
    log: (line) => logged.push(line),
  });
  context.after(() => awake.dispose());
  return { awake, state, logged };
}

describe('keeping the computer awake', () => {
  it('runs one program for as long as turns run', async (context) => {
    const { awake, logged } = setUp(context);
    awake.setWorking(true);
    await settle();
    const pid = awake.pid ?? 0;
    assert.ok(pid > 0 && isAlive(pid));
    awake.setWorking(true);
    await settle();
    assert.equal(awake.pid, pid);
    awake.setWorking(false);
    assert.equal(awake.pid, undefined);
    await untilGone(pid);
    assert.deepEqual(logged, []);
  });

  it('obeys the setting and the power supply', async (context) => {
    const { awake, state } = setUp(context);
    const pidWith = async (when: AwakeWhen, mains: boolean | undefined) => {
      Object.assign(state, { when, mains });
      awake.setWorking(true);
      await settle();
      return awake.pid;
    };
    assert.equal(await pidWith('never', true), undefined);
    assert.equal(await pidWith('onMains', false), undefined);
    assert.equal(await pidWith('onMains', undefined), undefined);
    const first = await pidWith('onMains', true);
    assert.notEqual(first, undefined);
    assert.equal(await pidWith('onMains', false), undefined);
    const second = await pidWith('always', false);
    assert.notEqual(second, undefined);
    assert.equal(await pidWith('never', true), undefined);
    await Promise.all([untilGone(first!), untilGone(second!)]);
  });

  it('starts nothing after the turn has ended meanwhile', async (context) => {
    const { awake } = setUp(context);
    awake.setWorking(true);
    awake.setWorking(false);
    await settle();
    assert.equal(awake.pid, undefined);
  });

  it('says once that the program is missing or fails', async (context) => {
    for (const broken of [
      { ...waiting, program: '/nowhere/inhibit' },
      { ...waiting, args: ['-e', 'process.exit(3)'] },
    ]) {
      const { awake, logged } = setUp(context, broken);
      awake.setWorking(true);
      while (logged.length === 0) await settle();
      assert.equal(awake.pid, undefined);
      awake.setWorking(true);
      await settle();
      assert.equal(awake.pid, undefined);
      assert.equal(logged.length, 1);
    }
  });

  it('ends when the process that started it is killed', async (context) => {
    const outfile = join(tempFolder(context), 'awake.cjs');
    const entryPoints = ['src/host/awake/awake.ts'];
    await build({ entryPoints, bundle: true, platform: 'node', format: 'cjs', outfile, absWorkingDir: process.cwd() });
    const script = `
      const { Awake } = require(${JSON.stringify(outfile)});
      const program = ${JSON.stringify(waiting)};
      const awake = new Awake({ when: () => 'always', program: () => program, log: () => undefined });
      awake.setWorking(true);
      setImmediate(() => process.stdout.write(String(awake.pid)));
      setInterval(() => undefined, 1000);`;
    const host = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    context.after(() => host.kill('SIGKILL'));
    const [written] = (await once(host.stdout, 'data')) as [Buffer];
    const pid = Number(written.toString());
    assert.ok(isAlive(pid));
    host.kill('SIGKILL');
    await untilGone(pid);
  });
});

describe('the programs', () => {
  it('are bound to the process or to their input on each system', () => {
    const [mac, battery] = (['onMains', 'always'] as const).map((when) => awakeProgram('darwin', when, 42, {})!);
    assert.deepEqual(
      [mac!.args, battery!.args],
      [
        ['-s', '-w', '42'],
        ['-i', '-w', '42'],
      ],
    );
    const linux = awakeProgram('linux', 'onMains', 42, { VSCODE_PID: '1', PATH: '/bin' })!;
    assert.deepEqual([linux.program, linux.args.at(-1), linux.env], ['systemd-inhibit', 'cat', { PATH: '/bin' }]);
    const windows = awakeProgram('win32', 'onMains', 42, { SystemRoot: 'D:\\Windows' })!;
    assert.equal(windows.program, 'D:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe');
    assert.match(windows.args.at(-1)!, /GetSystemPowerStatus\(\$status\); \$status\[0\] -eq 1/);
    assert.match(awakeProgram('win32', 'always', 42, {})!.args.at(-1)!, /\$isOn = \{ \$true \}/);
    assert.equal(awakeProgram('freebsd', 'always', 42, {}), undefined);
  });
});

describe('the power supply of a Linux computer', () => {
  it('is read from the kernel’s list', async (context) => {
    const folder = tempFolder(context);
    const write = async (name: string, fields: Readonly<Record<string, string>>) => {
      await mkdir(join(folder, name), { recursive: true });
      for (const [field, value] of Object.entries(fields)) await writeFile(join(folder, name, field), `${value}\n`);
    };
    assert.equal(await isOnMains(join(folder, 'none')), undefined);
    assert.equal(await isOnMains(folder), true);
    await write('hid-mouse', { type: 'Battery', scope: 'Device' });
    assert.equal(await isOnMains(folder), true);
    await write('BAT0', { type: 'Battery', status: 'Discharging' });
    assert.equal(await isOnMains(folder), false);
    await write('AC', { type: 'Mains', online: '0' });
    assert.equal(await isOnMains(folder), false);
    await write('AC', { type: 'Mains', online: '1' });
    assert.equal(await isOnMains(folder), true);
  });
});

describe('sleep', () => {
  it('is the time in which a running timer stood still', () => {
    let [time, timers] = [1000, 0];
    let tick: () => void = () => undefined;
    const slept: number[] = [];
    const every = (_ms: number, action: () => void) => {
      timers += 1;
      tick = action;
      return { dispose: () => void (timers -= 1) };
    };
    const watch = new SleepWatch({ now: () => time, every }, (ms) => slept.push(ms));
    const pass = (ms: number) => {
      time += ms;
      tick();
    };
    watch.setOn(true);
    watch.setOn(true);
    pass(1000);
    pass(4000);
    assert.deepEqual([timers, slept], [1, []]);
    pass(3_600_000);
    assert.deepEqual(slept, [3_599_000]);
    watch.setOn(false);
    time += 3_600_000;
    watch.setOn(true);
    pass(1000);
    assert.deepEqual([timers, slept], [1, [3_599_000]]);
    watch.dispose();
    assert.equal(timers, 0);
  });
});

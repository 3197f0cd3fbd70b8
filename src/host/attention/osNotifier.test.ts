import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { chmod, readFile, watch, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { noticePrograms, noticeText, OsNotifier } from './osNotifier';

const attack = '--help $(touch /tmp/x) `id` <b>bold</b>\u0007\n"quoted" \u202Eabc';

describe('the text of a notification', () => {
  it('has one line, no control characters, no markup, and no leading hyphen', () => {
    const text = noticeText(attack);
    assert.doesNotMatch(text, /[\p{Cc}<>\u202E]/u);
    assert.match(text, /^help \$\(touch/);
    assert.equal(noticeText('a'.repeat(300)).length, 100);
    assert.equal(noticeText('😀'.repeat(300)).at(-1), '…');
  });
});

describe('notification programs', () => {
  const notice = { title: 'Claude is waiting for you', body: attack };

  it('get texts as separate arguments on Linux and macOS', () => {
    for (const platform of ['linux', 'darwin'] as const) {
      for (const { args } of noticePrograms(platform, {}, notice)) {
        assert.deepEqual(args.slice(-2), ['Claude is waiting for you', noticeText(attack)]);
      }
    }
  });

  it('get texts as variables on Windows, from the system folder', () => {
    const [toast] = noticePrograms('win32', { SystemRoot: 'D:\\Windows', VSCODE_PID: '1' }, notice);
    assert.equal(toast!.program, 'D:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe');
    assert.equal(
      toast!.args.some((arg) => arg.includes('touch')),
      false,
    );
    assert.equal(toast!.env['PARLEY_BODY'], noticeText(attack));
    assert.equal(toast!.env['VSCODE_PID'], undefined);
  });

  it("don't exist on other systems", () => {
    assert.deepEqual(noticePrograms('freebsd', {}, notice), []);
  });
});

/** Puts a program named notify-send on the path. */
async function withProgram(context: TestContext, script: string) {
  const folder = tempFolder(context);
  const program = join(folder, 'notify-send');
  await writeFile(program, `#!${process.execPath}\n${script}`);
  await chmod(program, 0o755);
  const notifier = new OsNotifier('linux', { PATH: [folder, process.env['PATH']].join(delimiter) });
  context.after(() => notifier.dispose());
  return { folder, notifier };
}

describe('a notification', { skip: process.platform === 'win32' && 'Scripts aren’t programs on Windows.' }, () => {
  it('is shown until it is withdrawn, and reports a click', async (context) => {
    const { folder, notifier } = await withProgram(
      context,
      `const { writeFileSync } = require('node:fs');
      writeFileSync(process.argv[1] + '.args', JSON.stringify(process.argv.slice(2)));
      process.stdout.write('7\\n');
      process.on('SIGTERM', () => { writeFileSync(process.argv[1] + '.end', ''); process.exit(); });
      setTimeout(() => process.stdout.write('default\\n'), 10);
      setInterval(() => undefined, 1000);`,
    );
    const clicks = new EventEmitter();
    const clicked = once(clicks, 'click');
    const shown = await notifier.show({ title: 'Claude is done', body: attack }, () => clicks.emit('click'));
    await clicked;
    const args = JSON.parse(await readFile(join(folder, 'notify-send.args'), 'utf8')) as string[];
    assert.deepEqual(args.slice(-2), ['Claude is done', noticeText(attack)]);
    const changes = watch(folder, { signal: context.signal });
    const next = changes.next();
    shown?.dispose();
    await next;
    assert.equal(await readFile(join(folder, 'notify-send.end'), 'utf8'), '');
  });

  it('is shown without a click by a program without actions', async (context) => {
    const { notifier } = await withProgram(
      context,
      `process.exit(process.argv.some((arg) => arg.startsWith('--action')) ? 1 : 0);`,
    );
    assert.ok(await notifier.show({ title: 'a', body: 'b' }, () => undefined));
  });

  it('can’t be shown if the program fails or doesn’t exist', async (context) => {
    const { notifier } = await withProgram(context, 'process.exit(1);');
    assert.equal(await notifier.show({ title: 'a', body: 'b' }, () => undefined), undefined);
    const none = new OsNotifier('linux', { PATH: '/nowhere' });
    context.after(() => none.dispose());
    assert.equal(await none.show({ title: 'a', body: 'b' }, () => undefined), undefined);
  });
});

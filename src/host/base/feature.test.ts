import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import type { SessionKey } from '../../shared/values/ids';
import type { ClosedSession } from './closedSessions';
import { commandTable, joinFeatures, joinTables, type Commands, type TitledCommand } from './feature';

const nothing = () => undefined;
const none = { dispose: nothing };

suite('features', () => {
  const [open, close] = [() => 'open', () => 'close'];
  const one = { ...none, commands: { 'parley.openChat': open }, messages: { openLink: nothing } };
  const other = { ...none, commands: { 'parley.closeSession': close } };

  test('are joined to one table of commands and one of messages', () => {
    const { commands, messages } = joinFeatures(one, none, other);
    const whole: Commands<'parley.openChat' | 'parley.closeSession'> = commands;
    assert.deepEqual(whole, { 'parley.openChat': open, 'parley.closeSession': close });
    const handlers: { readonly openLink: () => undefined } = messages;
    assert.deepEqual(Object.keys(handlers), ['openLink']);
  });

  test('write before the first one ends, and hear of closed sessions', async () => {
    const seen: string[] = [];
    const feature = (name: string, problem?: Error) => ({
      flushNow: async () => {
        seen.push(`${name} begins`);
        if (problem) throw problem;
        await Promise.resolve();
        seen.push(`${name} ends`);
      },
      flush: () => Promise.resolve(seen.push(`${name} ends for good`)),
      forget: ({ key }: ClosedSession) => void seen.push(`${name} forgets ${key}`),
      dispose: () => void seen.push(`${name} is gone`),
    });
    const joined = joinFeatures(feature('a', new Error('The disk is full.')), none, feature('b'));
    await assert.rejects(joined.flushNow(), /The disk is full/);
    assert.deepEqual(seen.splice(0), ['a begins', 'b begins', 'b ends']);
    await joined.flush();
    joined.forget({ key: 's' as SessionKey, endsWithWindow: false });
    joined.dispose();
    assert.deepEqual(seen, [
      'a ends for good',
      'b ends for good',
      'a forgets s',
      'b forgets s',
      'b is gone',
      'a is gone',
    ]);
  });

  test('with a command twice, or without one, are type errors', () => {
    // @ts-expect-error: two features have a command to close a session.
    const twice: Commands<'parley.openChat' | 'parley.closeSession'> = joinFeatures(one, other, other).commands;
    // @ts-expect-error: no feature shows keys.
    const missing: Commands<'parley.openChat' | 'parley.showKeys'> = joinFeatures(one, other).commands;
    // @ts-expect-error: no such command is in package.nls.json.
    const unknown = commandTable({ 'parley.openChatt': nothing });
    assert.deepEqual([twice, missing, unknown].map(Boolean), [true, true, true]);
  });

  test('with the same entry in two tables are type errors', () => {
    // @ts-expect-error: both tables have the link.
    const twice: { readonly openLink: () => string } = joinTables(one.messages, { openLink: open });
    assert.equal(twice.openLink, open);
  });
});

test('each command of the manifest has a title named after its id', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly contributes: { readonly commands: readonly { readonly command: string; readonly title: string }[] };
  };
  const titles = Object.keys(JSON.parse(readFileSync('package.nls.json', 'utf8')) as object);
  const ids: readonly TitledCommand[] = titles.flatMap((key) =>
    key.startsWith('command.') ? [`parley.${key.slice('command.'.length)}` as TitledCommand] : [],
  );
  const { commands } = manifest.contributes;
  assert.deepEqual(commands.map(({ command }) => command).sort(), [...ids].sort());
  for (const { command, title } of commands) assert.equal(title, `%${command.replace(/^parley\./, 'command.')}%`);
});

// What foreign code may pass to a command, or put into a message.
import { Uri } from '../unit-support/vscode';

const ownError = new Error('a getter that throws');

/** Whether an error is of an object that throws when it's read. */
export const isOwnError = (error: unknown): boolean => error === ownError;

const throwing = (): object => {
  const refuse = () => {
    throw ownError;
  };
  return new Proxy({}, { get: refuse, has: refuse, ownKeys: refuse, getOwnPropertyDescriptor: refuse });
};

const circular = (): object => {
  const one: Record<string, unknown> = {};
  one['self'] = one;
  return one;
};

const texts = [
  '',
  '__proto__',
  'constructor',
  '../../outside/secret.txt',
  '/etc/passwd',
  'file:///etc/passwd',
  'command:workbench.action.terminal.new',
  '\u0000\u202e$(zap)[link](command:x)',
  'x'.repeat(300_000),
];

/** What can't be in a message, because messages are copied as data. */
const alive = (): readonly unknown[] => [
  throwing(),
  circular(),
  Symbol('no'),
  () => 'no',
  Uri.file('/etc/passwd'),
  Uri.parse('command:workbench.action.terminal.new'),
];

/** What can be in a message. */
export const data = (): readonly unknown[] => [
  undefined,
  null,
  7,
  -1,
  NaN,
  true,
  [],
  [null],
  ['__proto__'],
  {},
  { type: 7 },
  JSON.parse('{"__proto__":{"isPolluted":true}}'),
  ...texts,
];

/** Lists of arguments for a command. */
export const argumentLists = (): readonly (readonly unknown[])[] => [
  ...[...data(), ...alive()].map((value) => [value]),
  ...[...data(), ...alive()].map((value) => ['session:other', value, value]),
  ...[...data(), ...alive()].map((value) => [
    { uri: value, session: value, resourceUri: value, commentId: value },
    value,
  ]),
  [Uri.file('/etc/passwd'), [{}], 0],
  [Uri.file('/etc/passwd'), [], 4],
  Array.from({ length: 2000 }, () => '__proto__'),
];

/** A message with each of its fields replaced, and without it. */
export function* damaged(message: Readonly<Record<string, unknown>>): Generator<Readonly<Record<string, unknown>>> {
  for (const key of Object.keys(message)) {
    if (key === 'type') continue;
    yield Object.fromEntries(Object.entries(message).filter(([name]) => name !== key));
    for (const value of data()) yield { ...message, [key]: value };
  }
}

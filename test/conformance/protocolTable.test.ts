import assert from 'node:assert/strict';
import { access, readFile } from 'node:fs/promises';
import { before, describe, test } from 'node:test';
import { nesMethods } from '../../src/acp/decode/nesMessages';
import { agentMethods, clientMethods, protocolMethods } from '../../src/acp/wire/methods';
import { initializeParams } from '../../src/acp/v1/initialize';
import { methods as secondMethods } from '../../src/acp/v2/methods';
import { standings } from './checklist';
import { readTable, type TableRow } from './protocolTable';
import { publishedKeys, publishedMethods, publishedValues } from './published';

const directions: ReadonlyMap<string, string> = new Map([
  ['agent', 'to the agent'],
  ['client', 'from the agent'],
  ['protocol', 'both'],
  // Nobody asks Parley for these rightly; they are refused.
  ['proxy', 'from the agent'],
]);

/** Choices of the schema by the kind of their rows: the definition, and the key of its tag if it has one. */
const choices: readonly (readonly [kind: string, definition: string, tag?: string])[] = [
  ['update', 'SessionUpdate', 'sessionUpdate'],
  ['content block', 'ContentBlock', 'type'],
  ['tool content', 'ToolCallContent', 'type'],
  ['stop reason', 'StopReason'],
  ['error', 'ErrorCode'],
  ['login method', 'AuthMethod', 'type'],
  ['MCP server', 'McpServer', 'type'],
  ['config option', 'SessionConfigOption', 'type'],
  ['permission', 'PermissionOptionKind'],
  ['permission', 'RequestPermissionOutcome', 'outcome'],
  ['elicitation', 'CreateElicitationRequest', 'mode'],
  ['elicitation', 'ElicitationPropertySchema', 'type'],
  ['elicitation', 'CreateElicitationResponse', 'action'],
];

/** Parley's own methods by wire name, with what code calls them. */
const ownMethods: ReadonlyMap<string, { readonly key: string; readonly side: string }> = new Map(
  [
    ['agent', secondMethods] as const,
    ['agent', agentMethods] as const,
    ['agent', nesMethods] as const,
    ['client', clientMethods] as const,
    ['protocol', protocolMethods] as const,
  ].flatMap(([side, methods]) => Object.entries(methods).map(([key, { method }]) => [method, { key, side }])),
);

describe('the table of the protocol', () => {
  let table: readonly TableRow[];
  before(async () => {
    table = await readTable();
  });

  const has = (name: string, where: Partial<TableRow>) =>
    table.some(
      (row) =>
        row.names.includes(name) && Object.entries(where).every(([key, is]) => row[key as keyof TableRow] === is),
    );
  const missing = (names: readonly string[], where: Partial<TableRow>) => names.filter((name) => !has(name, where));

  test('has every method of the published schema with kind and direction', () => {
    const methods = publishedMethods();
    assert.ok(methods.some(({ method }) => method === 'session/unarchive'));
    const lost = methods.filter(({ method, side, kind }) => !has(method, { kind, direction: directions.get(side)! }));
    assert.deepEqual(lost, []);
  });

  test("lists Parley's own methods as served, and no others", () => {
    const lost = [...ownMethods].filter(([name, { side }]) => {
      return !has(name, { direction: directions.get(side)!, isServed: true });
    });
    assert.deepEqual(lost, []);
    const served = table.filter(({ kind, isServed }) => isServed && /^(request|notification)$/.test(kind));
    const others = served.flatMap(({ names }) => names).filter((name) => !ownMethods.has(name));
    assert.deepEqual([...new Set(others)], ['proxy/initialize', 'proxy/successor']);
  });

  for (const [kind, definition, tag] of choices) {
    test(`has every ${kind} of ${definition}`, () => {
      const values = publishedValues(definition, tag);
      assert.ok(values.length > 0);
      assert.deepEqual(missing(values, { kind }), []);
    });
  }

  test('has every client capability, served if Parley announces it', () => {
    const kind = 'client capability';
    assert.deepEqual(missing(publishedKeys('ClientCapabilities'), { kind }), []);
    const told = keysOf(initializeParams('0.0.0', { fs: true, terminal: true, nes: true }).clientCapabilities ?? {});
    const served = table.filter((row) => row.kind === kind && row.isServed).flatMap(({ names }) => names);
    assert.deepEqual([...served].sort(), [...told].sort());
  });

  test('has every capability of an agent', () => {
    const keys = publishedKeys('AgentCapabilities');
    assert.ok(keys.includes('sessionCapabilities.systemPrompt.mode.override'));
    assert.deepEqual(missing(keys, { kind: 'agent capability' }), []);
  });

  test('lists each entry once', () => {
    const all = table.flatMap(({ kind, direction, names }) => names.map((name) => `${kind} ${name} ${direction}`));
    assert.deepEqual(
      all.filter((name, at) => all.indexOf(name) !== at),
      [],
    );
  });

  test('gives a file and test, or a reason against it', () => {
    const bare = table.filter(({ isServed, where, tests, remark }) =>
      isServed ? where.length === 0 || tests.length === 0 : where.length > 0 || remark === '',
    );
    assert.deepEqual(
      bare.map(({ line }) => line),
      [],
    );
  });

  test('refers to existing files and to rows with cases or tests', async () => {
    const problems: string[] = [];
    for (const { line, where, tests, isServed } of table) {
      for (const name of [...where, ...tests]) {
        const standing = standings.get(name);
        const isRow = /^[A-Z]\d\d$/.test(name);
        const isThere = isRow ? standing !== undefined : await exists(name);
        if (!isThere) problems.push(`${line}: there is no ${name}`);
        else if (isServed && isRow && standing !== 'played' && standing !== 'shownElsewhere')
          problems.push(`${line}: ${name} shows nothing`);
      }
    }
    assert.deepEqual(problems, []);
  });

  test('refers to files that contain the entry', async () => {
    const problems: string[] = [];
    for (const { line, names, where, isServed } of table) {
      if (!isServed) continue;
      const text = (await Promise.all(where.map((path) => readFile(path, 'utf8').catch(() => '')))).join('\n');
      for (const name of names) {
        if (!name.startsWith('proxy/') && !wordsFor(name).some((word) => isIn(text, word))) {
          problems.push(`${line}: none of its places knows ${name}`);
        }
      }
    }
    assert.deepEqual(problems, []);
  });
});

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** How code may call a thing: as the wire does, by the last part of its path, or by the key of its method. */
function wordsFor(name: string): readonly string[] {
  const last = name.split('.').at(-1) ?? name;
  const quoted = /\["(.+)"\]/.exec(name)?.[1];
  const key = ownMethods.get(name)?.key;
  return [name, last, ...(quoted === undefined ? [] : [quoted]), ...(key === undefined ? [] : [key])];
}

function isIn(text: string, word: string): boolean {
  const literal = word.replace(/[^\w\s]/g, '\\$&');
  return new RegExp(`(?<!\\w)${literal}(?!\\w)`).test(text);
}

/** Paths of all that an object says, keys of `_meta` included. */
function keysOf(value: object, path = ''): readonly string[] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    const name = /^\w+$/.test(key) ? `${path}${key}` : `${path.replace(/\.$/, '')}["${key}"]`;
    const isDeep =
      typeof inner === 'object' && inner !== null && !Array.isArray(inner) && Object.keys(inner).length > 0;
    return isDeep ? keysOf(inner, `${name}.`) : [name];
  });
}

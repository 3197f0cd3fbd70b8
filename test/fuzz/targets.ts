// What is fed with what nobody meant, and what must hold of it whatever it gets.
import assert from 'node:assert/strict';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { decodeRegistry } from '../../src/agent/registry/decodeRegistry';
import { decodeElicitation } from '../../src/acp/decode/decodeElicitation';
import { offeredDialect, requestedDialect } from '../../src/acp/dialects';
import { isAcpError } from '../../src/acp/base/errors';
import { decodeSuggestions } from '../../src/acp/decode/nesMessages';
import { readLine } from '../../src/acp/wire/incoming';
import { LineCutter } from '../../src/acp/wire/lineCutter';
import { createRedactor } from '../../src/acp/wire/redact';
import { decodeDiff } from '../../src/acp/v2/decodeDiff';
import { readGitPatch } from '../../src/acp/v2/gitPatch';
import { minimalEdit } from '../../src/nes/minimalEdit';
import { awaySuggestion, inlineEdit } from '../../src/nes/placement';
import { fromCheckpointsJson, fromTurnsJson } from '../../src/review/checkpoints/checkpointData';
import { fromFileJson, isConsistent } from '../../src/review/log/trackedFileData';
import { renderText } from '../../src/session/document/renderText';
import { allowingRules } from '../../src/rules/judge/allowingRules';
import { findRuling } from '../../src/rules/judge/findRuling';
import { explainRuling } from '../../src/rules/judge/explainRuling';
import { matchesGlob, matchesWildcards } from '../../src/rules/judge/patterns';
import {
  expressionOf,
  isExpression,
  parsePermissionRules,
  type SourcedRule,
} from '../../src/rules/judge/permissionRule';
import { risksOf } from '../../src/rules/request/risk';
import type { ShellParser } from '../../src/rules/line/shellParser';
import { suggestRules } from '../../src/rules/judge/suggestRule';
import { closeStored, fromStored, toStored } from '../../src/session/transcript/storedSession';
import { checkContent, problemOf, shownAnswers } from '../../src/shared/forms/formModel';
import type { SessionKey } from '../../src/shared/values/ids';
import { requestedAction } from '../../src/rules/requestedAction';
import { parseAnsi } from '../../webview/terminal/ansi';
import { linkTarget, markdownIt } from '../../webview/markdown/markdownIt';
import { MarkdownSplitter } from '../../webview/markdown/markdownSplit';
import { SessionHarness } from '../unit-support/fakeSession';
import { loadParser, requestOf } from '../unit-support/ruleRequests';
import { below, jsonOf, pick, textOf, type Random } from './random';

export interface Target {
  readonly name: string;
  /** An input; the same for the same numbers. */
  make(random: Random): unknown;
  /** Throws when something does not hold. */
  check(input: never): void;
  /** For inputs that are texts: pieces whose repetition must take time that grows with its length only. */
  readonly pieces?: readonly string[];
}

const letters = [
  'a',
  'B',
  '0',
  ' ',
  '\n',
  '\t',
  'é',
  '漢',
  '🙂',
  '\u202e',
  '\u200b',
  '\u0000',
  '\ud800',
  '"',
  '\\',
  '/',
  '.',
];
const names = [
  'type',
  'id',
  'name',
  'title',
  'text',
  'content',
  'path',
  '__proto__',
  'constructor',
  'toString',
  'length',
];

const escapes = [
  '\u001b[',
  '\u001b]',
  '\u001bP',
  '\u001b',
  '\u0007',
  '\u001b\\',
  'm',
  'K',
  'C',
  '1',
  ';',
  '38;5;',
  '999',
  ':',
  '?',
];
const ansiPieces = [
  ...escapes,
  '\r',
  '\b',
  '\n',
  '\t',
  'a',
  'b c',
  '\u001b[1K',
  '\u001b[K',
  '\u001b[99C',
  '\u001b[31m',
  '漢',
];
const ansi: Target = {
  name: 'terminal output',
  pieces: ansiPieces,
  make: (random) => textOf(random, ansiPieces, 60),
  check: (output: string) => {
    const lines = parseAnsi(output);
    for (const { text } of lines.flat()) assert.doesNotMatch(text, /[\u0000-\u0008\u000b-\u001f\u007f]/);
    assert.ok(lines.length <= output.split('\n').length);
  },
};

const signs = [
  '*',
  '**',
  '_',
  '`',
  '```',
  '~~~',
  '~~',
  '[',
  ']',
  '(',
  ')',
  '!',
  '<',
  '>',
  '|',
  '#',
  '- ',
  '1. ',
  '> ',
  '    ',
  '\\',
  '&amp;',
];
const links = [
  '[a](',
  '](',
  '](javascript:alert(1))',
  '<script>',
  '<img src=x onerror=a>',
  'command:x',
  'http://a.b',
  'file:///a',
];
const moreLinks = [
  '[a]: ',
  '![x](data:text/html,a)',
  '<javascript:a>',
  '" onclick="a',
  "' a",
  '&#106;avascript:',
  'vbscript:',
  '//a',
];
const markdownPieces = [
  ...signs,
  ...links,
  ...moreLinks,
  '\n',
  '\n\n',
  'a',
  ' ',
  '| - |\n',
  '---\n',
  '===\n',
  'é',
  '\u0000',
  '\ud800',
];
const allowedTags = new Set(
  'a blockquote br code del em h3 h4 h5 h6 hr li ol p pre s strong table tbody td th thead tr ul'.split(' '),
);
const markdown: Target = {
  name: 'Markdown',
  pieces: markdownPieces,
  make: (random) => textOf(random, markdownPieces, 60),
  check: (source: string) => {
    const splitter = new MarkdownSplitter();
    for (let at = 0; at < source.length; at += 4096) {
      for (const piece of splitter.push(source.slice(at, at + 4096))) checkPiece(piece, splitter);
    }
    for (const piece of splitter.end()) checkPiece(piece, splitter);
  },
};

function checkPiece(piece: ReturnType<MarkdownSplitter['push']>[number], { env }: MarkdownSplitter): void {
  if (piece.type === 'blocks') assertSafe(markdownIt.render(piece.source, env as Record<string, never>));
}

/** Before the page cleans it: there must be nothing to clean. */
function assertSafe(html: string): void {
  for (const [whole, tag = '', rest = ''] of html.matchAll(/<\/?([^\s>]*)([^>]*)>/g)) {
    assert.ok(allowedTags.has(tag.toLowerCase()), `the tag ${whole}`);
    for (const [, name = '', value = ''] of rest.matchAll(/([^\s=]+)="([^"]*)"/g)) {
      assert.ok(['href', 'class', 'start', 'title'].includes(name), `the attribute ${name} in ${whole}`);
      if (name === 'href') assertLeads(value);
    }
    assert.equal(rest.replace(/[^\s=]+="[^"]*"/g, '').trim(), '', `something beside attributes in ${whole}`);
  }
}

function assertLeads(escaped: string): void {
  const href = escaped.replace(
    /&(amp|lt|gt|quot);/g,
    (_all, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name] ?? '',
  );
  const target = linkTarget(href);
  // Pictures are links whose address the page judges: what leads nowhere loses it there.
  if (target?.type === 'web') assert.match(target.href, /^(https?|mailto):/i);
}

const hidden = [
  'password=',
  'token: ',
  'Authorization: ',
  'https://a:b@',
  '-u a:b ',
  'mysql -p',
  'eyJ',
  'sig=',
  'Bearer ',
  '-----BEGIN PRIVATE KEY-----',
];
const redactPieces = [...hidden, ...letters, 'X-Auth: ', 'machine a login b password c', '"auth":"abcdefgh"', 'curl '];
const redactor = createRedactor(['hunter2-secret']);
const redaction: Target = {
  name: 'redaction',
  pieces: redactPieces,
  make: (random) => textOf(random, [...redactPieces, 'hunter2-secret'], 40),
  check: (text: string) => {
    assert.ok(!redactor.redactText(text).includes('hunter2-secret'));
    assert.ok(!JSON.stringify(redactor.redact({ params: { [text]: text } })).includes(':"hunter2-secret'));
  },
};

const updates = [
  'user_message_chunk',
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call',
  'tool_call_update',
  'plan',
  'usage_update',
];
const moreUpdates = [
  'available_commands_update',
  'current_mode_update',
  'config_option_update',
  'session_info_update',
  'subagent_update',
  // Of version 2.
  'user_message',
  'agent_message',
  'state_update',
  'tool_call_content_chunk',
  'terminal_update',
  'terminal_output_chunk',
];
const wireNames = [
  ...names,
  'sessionUpdate',
  'toolCallId',
  'status',
  'rawInput',
  'locations',
  'entries',
  'kind',
  'oldText',
  'newText',
  '_meta',
  'messageId',
  'terminalId',
  'state',
  'stopReason',
  'background',
  'output',
  'data',
  'exitStatus',
  'changes',
  'patch',
];
const wirePieces = [
  ...updates,
  ...moreUpdates,
  ...letters,
  ...wireNames,
  'text',
  'diff',
  'terminal',
  'completed',
  'pending',
  'edit',
];

function update(random: Random): unknown {
  const text = () => (random() < 0.8 ? pick(random, wirePieces) : textOf(random, letters, 6));
  const field = () => [pick(random, wireNames), jsonOf(random, text, 1)] as const;
  const blocks = [
    { type: 'text', text: text() },
    { type: 'content', content: { type: 'text', text: text() } },
    jsonOf(random, text),
  ];
  return {
    toolCallId: pick(random, ['c1', 'c2', 'c3']),
    messageId: pick(random, ['m1', 'm2', null]),
    terminalId: pick(random, ['c1', 't1']),
    state: pick(random, ['running', 'idle', 'requires_action', 'x']),
    content: pick(random, [blocks[0], blocks]),
    ...Object.fromEntries(Array.from({ length: below(random, 5) }, field)),
    sessionUpdate: pick(random, [...updates, ...moreUpdates]),
  };
}

const wire: Target = {
  name: 'messages of an agent',
  make: (random) => {
    const lines = Array.from({ length: 1 + below(random, 6) }, () => {
      const message = { jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', update: update(random) } };
      const line = JSON.stringify(random() < 0.9 ? message : jsonOf(random, () => pick(random, wirePieces)));
      return random() < 0.8
        ? line
        : line.slice(below(random, 10), below(random, line.length + 1)) + pick(random, letters);
    });
    return { lines, cut: 1 + below(random, 40) };
  },
  check: ({ lines, cut }: { lines: readonly string[]; cut: number }) => {
    const { session } = (opened ??= newSession());
    const cutter = new LineCutter({
      limit: 100_000,
      onTooLong: () => assert.fail('no line is so long'),
      onLine: (line) => {
        const incoming = readLine(line, () => false);
        if (incoming.kind !== 'message') return;
        const params = (incoming.message as { params?: { update?: unknown } }).params;
        session.agentSide.handleUpdate(params?.update);
      },
    });
    const bytes = Buffer.from(`${lines.join('\n')}\n`);
    for (let at = 0; at < bytes.length; at += cut) cutter.push(bytes.subarray(at, at + cut));
    heard += 1;
    if (heard % 50 > 0) return;
    // What is shown can be told, kept and read again.
    renderText(session.transcript);
    const kept: unknown = JSON.parse(JSON.stringify(toStored('k' as SessionKey, session.transcript)));
    const stored = fromStored(kept);
    if (stored !== undefined && stored !== 'later') closeStored(stored, 1);
    session.dispose();
    opened = undefined;
  },
};

let opened: SessionHarness | undefined;
let heard = 0;

let isSecond = false;

/** Opens a session in the other version than the one before. */
function newSession(): SessionHarness {
  const harness = new SessionHarness();
  isSecond = !isSecond;
  if (isSecond) harness.agent.insertsPrompts = true;
  harness.open({}, true, isSecond ? offeredDialect : requestedDialect);
  if (isSecond) harness.session.sendPrompt('text');
  return harness;
}

const patchPieces = [
  'diff --git /w/a /w/b\n',
  '--- /w/a\n',
  '+++ /w/b\n',
  '--- /dev/null\n',
  '@@ -1 +1 @@\n',
  '@@ -0,0 +1,2 @@\n',
  '@@ -1,3 +2 @@ x\n',
  '-a\n',
  '+b\n',
  ' c\n',
  '\n',
  '\\ No newline at end of file\n',
  'rename from /w/a\n',
  'rename to "/w/\\303\\244"\n',
  'GIT binary patch\n',
  'index 1..2\n',
];
const patches: Target = {
  name: 'patches',
  pieces: patchPieces,
  make: (random) => textOf(random, [...patchPieces, ...letters], 30),
  check: (text: string) => {
    const files = readGitPatch(text);
    for (const { hunks } of files ?? []) for (const { line } of hunks) assert.ok(line >= 1);
    const diff = { changes: [{ operation: 'modify', path: '/w/b' }], patch: { format: 'git_patch', text } };
    const { paths, isComplete } = requestedAction({ toolKind: 'edit', content: decodeDiff(diff), locations: [] });
    // Whoever reads the request sees every file of the patch, or that there is more.
    assert.equal(isComplete, files !== undefined);
    for (const { newPath, oldPath } of files ?? []) {
      for (const path of [newPath, oldPath]) assert.ok(path === undefined || paths.includes(path));
    }
  },
};

const patterns = [
  '^a',
  '(a+)+$',
  '.*',
  '.*.*=',
  '[a-z]',
  '\\d{2,900}',
  '(?=a)',
  '(',
  '(a|aa)+',
  '\\p{L}',
  '{1000}',
  '|',
  '\\1',
  '$',
  'é',
];
const forms: Target = {
  name: 'forms',
  make: (random) => {
    const text = () => textOf(random, [...letters, '-', '@', '2026-01-01', 'T10:00'], 20);
    const property = () => ({
      type: pick(random, ['string', 'number', 'integer', 'boolean', 'array', 'object']),
      ...(random() < 0.5 && { pattern: textOf(random, patterns, 6) }),
      ...(random() < 0.3 && { format: pick(random, ['email', 'uri', 'date', 'date-time', 'x']) }),
      ...(random() < 0.3 && { enum: [text(), text()] }),
      ...(random() < 0.3 && {
        [pick(random, ['minLength', 'maxLength', 'minimum', 'default', 'items'])]: jsonOf(random, text, 3),
      }),
    });
    const properties = Object.fromEntries(Array.from({ length: below(random, 4) }, () => [text(), property()]));
    const params = {
      mode: 'form',
      message: text(),
      requestedSchema: { type: 'object', properties, required: [text()] },
    };
    return { params: random() < 0.9 ? params : jsonOf(random, text), value: text().repeat(random() < 0.1 ? 50 : 1) };
  },
  check: ({ params, value }: { params: unknown; value: string }) => {
    let ask;
    try {
      ({ ask } = decodeElicitation(params));
    } catch (error) {
      // The agent is told what is wrong with it.
      if (isAcpError(error)) return;
      throw error;
    }
    if (ask.mode !== 'form') return;
    const given = ask.fields.map(({ key }) => [key, value] as const);
    for (const field of ask.fields) problemOf(field, value);
    const content = checkContent(ask.fields, given);
    if (content) shownAnswers(ask.fields, content);
  },
};

const rulePieces = [
  'npm ',
  'test',
  '*',
  '?',
  '**',
  '/',
  '.',
  'rm -rf ',
  'a',
  '\u200b',
  '(',
  ')+',
  '(a*)*',
  '|',
  '$',
  '^',
  '\\s',
  '[^',
];
const rules: Target = {
  name: 'rules',
  make: (random) => {
    const text = () => textOf(random, rulePieces, 10);
    const pattern = () => (random() < 0.5 ? text() : `/${text()}/${pick(random, ['', 'i'])}`);
    const rule = () => ({
      [pick(random, ['title', 'command', 'path', 'agent', 'kind', 'x'])]:
        random() < 0.9 ? pattern() : jsonOf(random, text),
      answer: pick(random, ['allow_once', 'reject_once', 'ask', 'always']),
    });
    return {
      rules: random() < 0.9 ? [rule(), rule()] : jsonOf(random, text),
      text: text().repeat(random() < 0.1 ? 20 : 1),
    };
  },
  check: ({ rules: value, text }: { rules: unknown; text: string }) => {
    for (const { title, command, paths } of parsePermissionRules(value).rules) {
      for (const pattern of [title, command]) {
        if (pattern === undefined) continue;
        if (isExpression(pattern)) expressionOf(pattern)?.testWhole(text);
        else assert.equal(matchesWildcards(pattern, pattern.replaceAll(/[*?]/g, 'a')), true);
      }
      for (const glob of paths ?? []) matchesGlob(glob, text);
    }
  },
};

const registryNames = [
  'version',
  'agents',
  'id',
  'name',
  'distribution',
  'binary',
  'npx',
  'uvx',
  'linux-x86_64',
  'archive',
  'cmd',
  'args',
  'env',
  'package',
];
const registryTexts = [
  ...registryNames,
  ...letters,
  '1.0.0',
  'https://a/b.zip',
  '../..',
  'a@1.0.0',
  '--x',
  'NODE_OPTIONS',
];
const registry: Target = {
  name: 'the registry',
  make: (random) => {
    const text = () => (random() < 0.7 ? pick(random, registryTexts) : textOf(random, registryTexts, 4));
    const any = () => jsonOf(random, text, 2);
    const target = () => ({ archive: text(), cmd: text(), args: any(), env: any() });
    const distribution = () => ({
      binary: { 'linux-x86_64': target() },
      npx: { package: text(), args: any(), env: any() },
    });
    const agent = () => ({
      id: text(),
      name: text(),
      version: text(),
      description: any(),
      distribution: pick(random, [distribution(), any()]),
    });
    return random() < 0.9 ? { version: '1.0.0', agents: [agent(), agent(), any()] } : jsonOf(random, text);
  },
  check: (value: unknown) => {
    let decoded;
    try {
      decoded = decodeRegistry(value);
    } catch (error) {
      // A sentence for the user.
      if (error instanceof Error && !(error instanceof TypeError || error instanceof RangeError)) return;
      throw error;
    }
    for (const { id } of decoded.agents) assert.match(id, /^[\w.-]+$/);
  },
};

const storedNames = [
  'version',
  'key',
  'snapshot',
  'order',
  'entries',
  'kind',
  'turn',
  'title',
  'text',
  'base',
  'current',
  'hunks',
  'path',
  'files',
  'startedAt',
];
const storedKinds = ['user_message', 'agent_message', 'tool_call', 'plan', 'error', 'subagent', 'permission'];
const stored: Target = {
  name: 'stored state',
  make: (random) => {
    const text = () => pick(random, [...storedNames, ...storedKinds, ...letters, 'e1', 'e2']);
    const any = (depth = 1) => jsonOf(random, text, depth);
    const entry = (id: string) => ({
      id,
      kind: pick(random, storedKinds),
      turn: below(random, 3),
      content: any(),
      status: text(),
    });
    const snapshot = {
      order: ['e1', 'e2'],
      entries: { e1: entry('e1'), e2: any() },
      state: any(),
      turns: any(),
      title: text(),
    };
    const session = { version: pick(random, [1, 2, 3]), key: 'k', snapshot: random() < 0.8 ? snapshot : any() };
    const file = {
      text: { base: text(), current: text(), hunks: any() },
      traits: any(),
      kept: any(),
      keptTraits: any(),
      isWhole: true,
    };
    return random() < 0.5 ? session : random() < 0.7 ? file : any(0);
  },
  check: (value: unknown) => {
    const session = fromStored(value);
    if (session !== undefined && session !== 'later') renderText(closeStored(session, 1));
    const file = typeof value === 'object' && value !== null ? fromFileJson(value as never) : undefined;
    if (file?.text) assert.ok(isConsistent(file.text));
    fromCheckpointsJson(value);
    fromTurnsJson(value);
  },
};

const linePieces = [
  'ok ',
  'bad ',
  'git ',
  '-C . ',
  '--no-pager ',
  '-c a=b ',
  'push ',
  'npx ',
  'watch ',
  'xargs ',
  'find . -exec ',
  'ssh h ',
  'env ',
  'busybox ',
  'tar ',
  '-C.git ',
  '-o.npmrc ',
  '@.ssh/x ',
  '--to=.vscode ',
  'a:.git/hooks ',
  'a',
  ' ',
  '\n',
  ';',
  '&',
  '&&',
  '|',
  '||',
  '(',
  ')',
  '{ ',
  ' }',
  '$(',
  '`',
  '"',
  "'",
  '\\',
  '$x',
  '${',
  '}',
  '$((',
  '))',
  '<(',
  '<<E\n',
  '\nE\n',
  '<<<',
  '> ',
  '2>&1',
  '*',
  '~',
  '#',
  '!',
  '=',
  'X=a ',
  'if ok; then ',
  '; fi',
  'for i in ',
  '; do ',
  '; done',
  'case a in a) ',
  ';; esac',
  '[[ ',
  ' ]]',
  'f() { ',
  'bash -c ',
  'env ',
  'xargs ',
  'sudo ',
  'cd ',
  'rm -rf ',
  'echo ',
];
let shellParser: ShellParser | undefined;
/** Loads what the targets need. */
export async function prepare(): Promise<void> {
  shellParser = await loadParser();
}

const allowOk = parsePermissionRules([
  { command: 'ok *', answer: 'allow_once' },
  { command: 'echo *', answer: 'allow_once' },
]).rules.map((rule, index): SourcedRule => ({ rule, scope: 'user', index }));

const commandLines: Target = {
  name: 'command lines',
  pieces: linePieces,
  make: (random) => textOf(random, linePieces, 14),
  check: (line: string) => {
    const request = requestOf({ entry: { rawInput: { command: line } } }, shellParser);
    risksOf(request);
    const isAllowed = 'rules' in allowingRules(allowOk, request);
    assert.equal(isAllowed, explainRuling(allowOk, request) === undefined);
    // Whatever else the line is, nothing but these programs is a command of an allowed one.
    if (isAllowed) assert.doesNotMatch(withoutQuotes(line), /(^|[;&|(\n`]) *(bad|rm|sudo|xargs)\b/);
    else for (const rule of suggestRules(request, 'allow_once', allowOk) ?? []) assert.equal(rule.answer, 'allow_once');
  },
};

const rejectPush = parsePermissionRules([
  { kind: 'execute', answer: 'allow_once' },
  { command: '*', answer: 'allow_once' },
  { command: 'git push *', answer: 'reject_once' },
]).rules.map((rule, index): SourcedRule => ({ rule, scope: 'user', index }));

const gitOptions = [
  '-C .',
  '-C sub',
  '--no-pager',
  '-p',
  '-c a=b',
  '--git-dir x',
  '--git-dir=x',
  '--bare',
  '-c x.y=z',
  '--new',
];
const gitPrograms = ['git', '/usr/bin/git', './git', '"git"', "g'it'", '\\git', 'hub'];
const wrapperWords = [
  'env',
  'env A=b',
  'timeout 5',
  'nice -n 3',
  'npx',
  'npx -y',
  'busybox',
  'watch',
  'xargs',
  'cross-env A=b',
];
const moreWrappers = [
  'ssh h',
  'strace -f',
  'flock l',
  'uv run',
  'poetry run',
  'direnv exec .',
  'docker exec c',
  'time',
  'nohup',
];
const aroundLines = [
  'bash -c "X"',
  '(X)',
  'X | cat',
  'ls && X',
  'eval "X"',
  'if true; then X; fi',
  'watch "X"',
  'X; ls',
  'echo $(X)',
];
const guardedNames = ['.vscode', '.git/hooks', '.npmrc', '.envrc', '.husky/x', 'a/.git/config', '../.ssh/x', './.git'];
const holders = [
  '-CX',
  '-xCX',
  '-o X',
  '-oX',
  '--to=X',
  '--to X',
  '@X',
  '-d@X',
  'a=X',
  'a,X',
  'h:X',
  'a=b:X',
  '-vX:/y',
  'X',
  '-tX',
];

interface Disguise {
  readonly push: string;
  readonly write: string;
}

/** A command that a rule rejects, and one that writes a guarded place, in a form that hides it. */
const disguises: Target = {
  name: 'commands in disguise',
  make: (random): Disguise => {
    const some = (all: readonly string[], most: number) =>
      Array.from({ length: below(random, most + 1) }, () => pick(random, all));
    const command = [
      ...some([...wrapperWords, ...moreWrappers], 2),
      pick(random, gitPrograms),
      ...some(gitOptions, 3),
      'push',
      'a',
    ];
    const line = command.join(' ');
    const around = /["'\\]/.test(line) ? 'X' : pick(random, ['X', ...aroundLines]);
    const holder = pick(random, holders).replace('X', pick(random, guardedNames));
    const write = [
      ...some(wrapperWords.slice(0, 4), 1),
      pick(random, ['tar', 'cp', 'curl', 'acme', 'git']),
      'a',
      holder,
      'b',
    ];
    return { push: around.replace('X', () => line), write: write.join(' ') };
  },
  check: ({ push, write }: Disguise) => {
    const judged = (command: string) =>
      findRuling(rejectPush, requestOf({ entry: { rawInput: { command } } }, shellParser), [
        { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
        { optionId: 'no', name: 'No', kind: 'reject_once' },
      ])?.answer;
    assert.ok(/^(reject_once|ask)$/.test(judged(push) ?? ''), `${push} is ${judged(push) ?? 'not judged'}`);
    assert.notEqual(judged(write), 'allow_once', write);
  },
};

/** Returns a line without texts in single quotes, double quotes, and here-documents, if it has no others inside. */
function withoutQuotes(line: string): string {
  return /[\\`]|\$\(/.test(line) ? '' : line.replace(/#[^\n]*|<<E\n[^]*|'[^']*'|"[^"]*"/g, '');
}

/** A suggestion, most of whose parts are right. */
function suggestionOf(random: Random): unknown {
  const odd = () => jsonOf(random, () => textOf(random, letters, 5), 3);
  const part = (right: () => unknown) => (random() < 0.05 ? odd() : right());
  const position = () => part(() => ({ line: part(() => below(random, 6)), character: part(() => below(random, 12)) }));
  const edit = () =>
    part(() => ({ range: { start: position(), end: position() }, newText: part(() => textOf(random, letters, 4)) }));
  return part(() => ({
    kind: pick(random, ['edit', 'edit', 'jump', 'rename', 'searchAndReplace', 'other']),
    id: part(() => `s${below(random, 9)}`),
    uri: part(() => pick(random, ['file:///a', 'file:///b', ''])),
    edits: part(() => Array.from({ length: below(random, 4) }, edit)),
    position: position(),
    cursorPosition: position(),
    newName: part(() => textOf(random, names, 2)),
    search: part(() => textOf(random, [...letters, '(', ')', '+', '*', '[', '|'], 6)),
    replace: part(() => textOf(random, letters, 3)),
    isRegex: part(() => random() < 0.5),
  }));
}

/** What is shown of a suggestion fits the document, and grey text keeps what is there. */
const suggestions: Target = {
  name: 'suggested edits',
  make: (random) => ({
    answer: { suggestions: Array.from({ length: below(random, 4) }, () => suggestionOf(random)) },
    text: textOf(random, [...letters, '\n'], 40),
    line: below(random, 5),
    character: below(random, 12),
  }),
  check({ answer, text, line, character }: { answer: unknown; text: string; line: number; character: number }) {
    const document = TextDocument.create('file:///a', 'text', 1, text);
    const cursor = document.positionAt(document.offsetAt({ line, character }));
    for (const suggestion of decodeSuggestions(answer)) {
      const inline = inlineEdit(suggestion, document, cursor);
      if (inline) {
        const kept = document.getText({ start: inline.range.start, end: cursor });
        assert.ok(inline.insertText.startsWith(kept) && inline.insertText.length >= kept.length);
      }
      const away = awaySuggestion(suggestion, suggestion.uri === document.uri ? document : undefined);
      if (away?.kind !== 'edit' || away.uri !== document.uri) continue;
      let before = 0;
      for (const { range, newText } of away.edits) {
        const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
        assert.ok(start <= end && start >= before && range.start.line < document.lineCount);
        before = end;
        const replaced = document.getText(range);
        const { kept, removed, inserted } = minimalEdit(replaced, newText);
        const rest = replaced.slice(kept + removed.length);
        assert.equal(replaced.slice(0, kept) + inserted + rest, newText);
      }
    }
  },
};

export const targets: readonly Target[] = [
  wire,
  patches,
  suggestions,
  ansi,
  markdown,
  forms,
  rules,
  commandLines,
  disguises,
  registry,
  stored,
  redaction,
];

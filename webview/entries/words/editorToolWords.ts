import * as l10n from '@vscode/l10n';
import { isRecord } from '../../../src/shared/values/isRecord';
import type { ToolCallEntry } from '../../../src/shared/transcript/transcript';
import { shortenMiddle, showHiddenOnOneLine } from '../../../src/shared/text/visibleText';

/** A call of one of the editor's tools, in words: what it does, and with which symbol, file, or text. */
export interface EditorToolWords {
  readonly verb: string;
  /** Empty if the agent doesn't show what it sends. */
  readonly object: string;
}

type Call = Pick<ToolCallEntry, 'title' | 'name' | 'rawInput'> & Partial<Pick<ToolCallEntry, 'content' | 'rawOutput'>>;
type Fields = Readonly<Record<string, unknown>>;

/** Agents join the names of a server and its tool in their own ways. */
const patterns = [
  /^mcp__editor__(\w+)$/,
  /^mcp[._]editor[._](\w+)$/,
  /^(\w+) \(editor MCP Server\)/,
  /^(?:Tool: )?editor[_./-](\w+)$/,
  // Copilot drops the server's name once it asked. Only names that no other word has.
  /^([a-z]+[A-Z]\w+)$/,
];

/** Returns the words for a call that has started. Requests show what the agent sent. */
export function editorToolWords(call: Call, isDone: boolean): EditorToolWords | undefined {
  const all = verbs();
  const tool = namesOf(call).find((name) => all.has(name));
  const words = tool === undefined ? undefined : all.get(tool);
  if (tool === undefined || !words) return undefined;
  const object = objectOf(call);
  const counted = isDone ? countedVerb(tool, countOf(call), object !== '') : undefined;
  const [now, done, nowAlone = now, doneAlone = done] = words;
  const verb = object === '' ? (isDone ? doneAlone : nowAlone) : isDone ? done : now;
  return { verb: counted ?? verb, object };
}

/** Returns the question whether an agent may call one of the editor's tools; undefined for all other requests. */
export function editorToolQuestion(call: Call, agent: string): string | undefined {
  const object = objectOf(call);
  for (const name of namesOf(call)) {
    const question = questionOf(name, agent, object && showHiddenOnOneLine(shortenMiddle(object, 300)));
    if (question !== undefined) return question;
  }
  return undefined;
}

function questionOf(tool: string, agent: string, object: string): string | undefined {
  const about = (withObject: () => string, alone: () => string) => (object === '' ? alone() : withObject());
  switch (tool) {
    case 'getDiagnostics':
      return about(
        () => l10n.t('Let {0} check problems in {1}?', agent, object),
        () => l10n.t('Let {0} check problems?', agent),
      );
    case 'getSelection':
      return l10n.t('Let {0} read the selection?', agent);
    case 'getOpenEditors':
      return l10n.t('Let {0} list open files?', agent);
    case 'readBuffer':
      return about(
        () => l10n.t('Let {0} read unsaved text of {1}?', agent, object),
        () => l10n.t('Let {0} read unsaved text?', agent),
      );
    case 'findReferences':
      return about(
        () => l10n.t('Let {0} look up references of {1}?', agent, object),
        () => l10n.t('Let {0} look up references?', agent),
      );
    case 'goToDefinition':
      return about(
        () => l10n.t('Let {0} look up the definition of {1}?', agent, object),
        () => l10n.t('Let {0} look up a definition?', agent),
      );
    case 'documentSymbols':
      return about(
        () => l10n.t('Let {0} read the outline of {1}?', agent, object),
        () => l10n.t('Let {0} read the outline of a file?', agent),
      );
    case 'workspaceSymbols':
      return about(
        () => l10n.t('Let {0} look up symbols like {1}?', agent, object),
        () => l10n.t('Let {0} look up symbols?', agent),
      );
    case 'hover':
      return about(
        () => l10n.t('Let {0} look up the type of {1}?', agent, object),
        () => l10n.t('Let {0} look up a type?', agent),
      );
    case 'findImplementations':
      return about(
        () => l10n.t('Let {0} look up implementations of {1}?', agent, object),
        () => l10n.t('Let {0} look up implementations?', agent),
      );
    case 'callHierarchy':
      return about(
        () => l10n.t('Let {0} look up calls of {1}?', agent, object),
        () => l10n.t('Let {0} look up calls?', agent),
      );
    case 'renameSymbol':
      return about(
        () => l10n.t('Let {0} rename {1}?', agent, object),
        () => l10n.t('Let {0} rename a symbol?', agent),
      );
    case 'listCodeActions':
      return about(
        () => l10n.t('Let {0} look up code actions in {1}?', agent, object),
        () => l10n.t('Let {0} look up code actions?', agent),
      );
    case 'applyCodeAction':
      return about(
        () => l10n.t('Let {0} apply {1}?', agent, object),
        () => l10n.t('Let {0} apply a code action?', agent),
      );
    case 'formatFile':
      return about(
        () => l10n.t('Let {0} format {1}?', agent, object),
        () => l10n.t('Let {0} format a file?', agent),
      );
    case 'openFile':
      return about(
        () => l10n.t('Let {0} open {1}?', agent, object),
        () => l10n.t('Let {0} open a file?', agent),
      );
    case 'listTasks':
      return l10n.t('Let {0} list tasks?', agent);
    case 'runTask':
      return about(
        () => l10n.t('Let {0} run the task {1}?', agent, object),
        () => l10n.t('Let {0} run a task?', agent),
      );
    case 'debugState':
      return l10n.t('Let {0} read the debugger’s state?', agent);
    case 'debugEvaluate':
      return about(
        () => l10n.t('Let {0} evaluate {1}?', agent, object),
        () => l10n.t('Let {0} evaluate an expression?', agent),
      );
    case 'extensionTools':
      return about(
        () => l10n.t('Let {0} call {1}?', agent, object),
        () => l10n.t('Let {0} list tools of extensions?', agent),
      );
    case 'listAgents':
      return l10n.t('Let {0} list agents?', agent);
    case 'startSession':
      return about(
        () => l10n.t('Let {0} start a session with {1}?', agent, object),
        () => l10n.t('Let {0} start a session with another agent?', agent),
      );
    case 'readAnswer':
      return l10n.t('Let {0} read an answer?', agent);
    default:
      return undefined;
  }
}

/** Returns what a call is about: a symbol, file, or text. Empty if the agent doesn't show what it sends. */
function objectOf(call: Call): string {
  const input = inputOf(call);
  return (
    ['symbol', 'query', 'title', 'expression', 'path', 'agent', 'name'].map((key) => input[key]).find(isText) ?? ''
  );
}

function namesOf({ title, name = '', rawInput }: Call): readonly string[] {
  // Qwen has a tool that calls others. Codex puts the names beside the arguments.
  const { name: inner, server, tool } = record(rawInput);
  const names = [name, title.trim(), isText(inner) ? inner : ''].flatMap((text) =>
    patterns.flatMap((pattern) => pattern.exec(text)?.[1] ?? []),
  );
  return server === 'editor' && isText(tool) ? [...names, tool] : names;
}

/** Returns the arguments of the call. Some agents wrap them, and Qwen shows them only in the title. */
function inputOf({ title, rawInput }: Call): Fields {
  const input = record(rawInput);
  const inner = [input['arguments'], record(input['invocation'])['arguments'], input['input']].find(isRecord);
  if (inner) return inner;
  return Object.keys(input).length > 0 ? input : record(parsed(title));
}

/** Returns how many places or problems a call found, if its result says so. */
function countOf({ rawOutput, content = [] }: Call): number | undefined {
  const output = record(rawOutput);
  const texts = content.flatMap((item) =>
    item.type === 'content' && item.content.type === 'text' ? [item.content.text] : [],
  );
  const structured = [output['structuredContent'], record(output['result'])['structuredContent']];
  const total = [...structured, ...texts.map(parsed)].map((data) => record(data)['total']).find(Number.isInteger);
  if (typeof total === 'number') return total;
  const [text] = texts;
  if (text === undefined) return undefined;
  const lines = text.split('\n').filter((line) => /:\d+(?::|$)/.test(line)).length;
  const rest = /^… (\d+) more\. /m.exec(text)?.[1] ?? '0';
  // Without any, the text is a sentence, and perhaps a failure.
  return lines === 0 ? (text === 'No problems.' ? 0 : undefined) : lines + Number(rest);
}

function countedVerb(tool: string, count: number | undefined, hasObject: boolean): string | undefined {
  if (count === undefined || !hasObject) return undefined;
  switch (tool) {
    case 'getDiagnostics':
      if (count === 0) return l10n.t('Found no problems in');
      return count === 1 ? l10n.t('Found 1 problem in') : l10n.t('Found {0} problems in', count);
    case 'findReferences':
      return count === 1 ? l10n.t('Looked up 1 reference of') : l10n.t('Looked up {0} references of', count);
    case 'findImplementations':
      return count === 1 ? l10n.t('Looked up 1 implementation of') : l10n.t('Looked up {0} implementations of', count);
    default:
      return undefined;
  }
}

/** While it runs and when it is done, with what it is about, and without. */
type Verbs = readonly [now: string, done: string, nowAlone?: string, doneAlone?: string];

function verbs(): ReadonlyMap<string, Verbs> {
  return new Map<string, Verbs>(
    Object.entries({
      getDiagnostics: [
        l10n.t('Checking problems in'),
        l10n.t('Checked problems in'),
        l10n.t('Checking problems'),
        l10n.t('Checked problems'),
      ],
      getSelection: [l10n.t('Reading the selection'), l10n.t('Read the selection')],
      getOpenEditors: [l10n.t('Listing open files'), l10n.t('Listed open files')],
      readBuffer: [
        l10n.t('Reading unsaved text of'),
        l10n.t('Read unsaved text of'),
        l10n.t('Reading unsaved text'),
        l10n.t('Read unsaved text'),
      ],
      findReferences: [
        l10n.t('Looking up references of'),
        l10n.t('Looked up references of'),
        l10n.t('Looking up references'),
        l10n.t('Looked up references'),
      ],
      goToDefinition: [
        l10n.t('Looking up the definition of'),
        l10n.t('Looked up the definition of'),
        l10n.t('Looking up a definition'),
        l10n.t('Looked up a definition'),
      ],
      documentSymbols: [
        l10n.t('Reading the outline of'),
        l10n.t('Read the outline of'),
        l10n.t('Reading the outline of a file'),
        l10n.t('Read the outline of a file'),
      ],
      workspaceSymbols: [
        l10n.t('Looking up symbols like'),
        l10n.t('Looked up symbols like'),
        l10n.t('Looking up symbols'),
        l10n.t('Looked up symbols'),
      ],
      hover: [
        l10n.t('Looking up the type of'),
        l10n.t('Looked up the type of'),
        l10n.t('Looking up a type'),
        l10n.t('Looked up a type'),
      ],
      findImplementations: [
        l10n.t('Looking up implementations of'),
        l10n.t('Looked up implementations of'),
        l10n.t('Looking up implementations'),
        l10n.t('Looked up implementations'),
      ],
      callHierarchy: [
        l10n.t('Looking up calls of'),
        l10n.t('Looked up calls of'),
        l10n.t('Looking up calls'),
        l10n.t('Looked up calls'),
      ],
      renameSymbol: [l10n.t('Renaming'), l10n.t('Renamed'), l10n.t('Renaming a symbol'), l10n.t('Renamed a symbol')],
      listCodeActions: [
        l10n.t('Looking up code actions in'),
        l10n.t('Looked up code actions in'),
        l10n.t('Looking up code actions'),
        l10n.t('Looked up code actions'),
      ],
      applyCodeAction: [
        l10n.t('Applying'),
        l10n.t('Applied'),
        l10n.t('Applying a code action'),
        l10n.t('Applied a code action'),
      ],
      formatFile: [l10n.t('Formatting'), l10n.t('Formatted'), l10n.t('Formatting a file'), l10n.t('Formatted a file')],
      openFile: [l10n.t('Opening'), l10n.t('Opened'), l10n.t('Opening a file'), l10n.t('Opened a file')],
      listTasks: [l10n.t('Listing tasks'), l10n.t('Listed tasks')],
      runTask: [l10n.t('Running the task'), l10n.t('Ran the task'), l10n.t('Running a task'), l10n.t('Ran a task')],
      debugState: [l10n.t('Reading the debugger’s state'), l10n.t('Read the debugger’s state')],
      debugEvaluate: [
        l10n.t('Evaluating'),
        l10n.t('Evaluated'),
        l10n.t('Evaluating an expression'),
        l10n.t('Evaluated an expression'),
      ],
      extensionTools: [
        l10n.t('Calling'),
        l10n.t('Called'),
        l10n.t('Listing tools of extensions'),
        l10n.t('Listed tools of extensions'),
      ],
      listAgents: [l10n.t('Listing agents'), l10n.t('Listed agents')],
      startSession: [
        l10n.t('Starting a session with'),
        l10n.t('Started a session with'),
        l10n.t('Starting a session'),
        l10n.t('Started a session'),
      ],
      readAnswer: [l10n.t('Waiting for an answer'), l10n.t('Read an answer')],
    } satisfies Record<string, Verbs>),
  );
}

function parsed(text: string): unknown {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function record(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

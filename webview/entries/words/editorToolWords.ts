import { editorTools, isEditorTool, type EditorToolRow } from '../../../src/shared/pages/editorTools';
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
  const row = rowOf(call);
  if (!row) return undefined;
  const object = objectOf(call);
  const { verbs, found } = row.words();
  const [now, done, nowAlone = now, doneAlone = done] = verbs;
  if (object === '') return { verb: isDone ? doneAlone : nowAlone, object };
  const count = isDone && found ? countOf(call) : undefined;
  return { verb: count === undefined ? (isDone ? done : now) : (found?.(count) ?? done), object };
}

/** Returns the question whether an agent may call one of the editor's tools; undefined for all other requests. */
export function editorToolQuestion(call: Call, agent: string): string | undefined {
  const object = objectOf(call);
  return rowOf(call)
    ?.words()
    .ask(agent, object && showHiddenOnOneLine(shortenMiddle(object, 300)));
}

function rowOf(call: Call): EditorToolRow | undefined {
  const name = namesOf(call).find(isEditorTool);
  return name === undefined ? undefined : editorTools[name];
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

import {
  anything,
  boolean,
  either,
  fields,
  list,
  number,
  oneOf,
  optional,
  text,
  type Fields,
} from '../../shared/values/shape';
import type { Entry } from '../../shared/transcript/transcript';

/**
 * The required shape of stored sessions, as far as the code relies on it. Unknown fields from newer versions are
 * ignored. Stored sessions are validated and not converted: a session is either valid or rejected.
 */

const maybeText = optional(text);
const content = list(
  either(
    fields({ type: oneOf('text'), text }),
    fields({ type: oneOf('image', 'audio'), data: text, mimeType: text, uri: maybeText }),
    fields({ type: oneOf('resource_link'), uri: text, name: text }),
    fields({ type: oneOf('resource'), uri: text, text }),
    fields({ type: oneOf('resource_blob'), uri: text, blob: text }),
    fields({ type: oneOf('unknown') }),
  ),
);
const toolContent = list(
  either(
    fields({ type: oneOf('content'), content: fields({ type: text }) }),
    fields({ type: oneOf('diff'), path: text, oldText: maybeText, newText: text }),
    fields({ type: oneOf('change'), operation: text, path: text, oldPath: maybeText }),
    fields({ type: oneOf('terminal'), terminalId: text }),
    fields({ type: oneOf('unknown') }),
  ),
);
const option = fields({ optionId: text, name: text, kind: text });
const permission = either(
  fields({ state: oneOf('none') }),
  fields({ state: oneOf('asked'), request: anything, options: list(option) }),
  fields({ state: oneOf('answered'), option, reply: maybeText, isEdited: optional(oneOf(true)) }),
  fields({ state: oneOf('cancelled') }),
);

const maybeNumber = optional(number);
const tokens = {
  total: number,
  input: number,
  output: number,
  thought: maybeNumber,
  cachedRead: maybeNumber,
  cachedWrite: maybeNumber,
};
const turnSummary = fields({
  startedAt: number,
  endedAt: maybeNumber,
  brokenBy: maybeText,
  model: maybeText,
  tokens: optional(fields({ ...tokens, models: optional(list(fields({ ...tokens, model: text }))) })),
  cost: optional(fields({ amount: number, currency: text })),
});

const base = {
  id: text,
  turn: number,
  subagent: maybeText,
  turnSummary: optional(turnSummary),
  earlier: optional(oneOf(true)),
};
/**
 * The fields of each kind of entry besides the base. A missing kind is a type error, because its sessions would count
 * as damaged.
 */
const entryFields = {
  user_message: { content, isReported: optional(oneOf(true)) },
  agent_message: { content },
  agent_thought: { content, startedAt: number },
  tool_call: {
    toolCallId: text,
    title: text,
    toolKind: text,
    status: text,
    content: toolContent,
    locations: list(fields({ path: text })),
    permission,
    startedAt: number,
  },
  plan: { planId: text, plan: optional(fields({ planId: text, type: text })) },
  notice: { severity: text, title: text, description: maybeText },
  compaction: { status: text, summary: content },
  elicitation: {
    message: text,
    question: either(
      fields({ state: oneOf('submitted'), answers: list(fields({ label: text, value: text })) }),
      fields({ state: oneOf('opened'), host: text }),
      fields({ state: oneOf('asked', 'declined', 'dismissed', 'withdrawn', 'completed') }),
    ),
  },
  error: {
    code: text,
    title: text,
    actions: list(text),
    limit: optional(fields({ type: text, resetsAt: maybeNumber })),
  },
  login: {
    methods: list(fields({ methodId: text, name: text })),
    progress: fields({ state: text }),
  },
  subagent: { sessionId: text, title: text, state: text },
} satisfies Record<Entry['kind'], Fields>;
const shapes = Object.entries(entryFields).map(([kind, more]) => fields({ kind: oneOf(kind), ...base, ...more }));
const entry = either(...shapes);

const configOption = either(
  fields({
    type: oneOf('select'),
    configId: text,
    name: text,
    via: text,
    currentValue: text,
    choices: list(fields({ value: text, name: text })),
  }),
  fields({ type: oneOf('boolean'), configId: text, name: text, via: text, currentValue: boolean }),
);

const view = fields({
  agentId: text,
  agentName: text,
  agentVersion: text,
  sessionId: text,
  title: text,
  cwd: text,
  additionalDirectories: optional(list(text)),
  connection: fields({ state: text }),
  activity: fields({ state: text }),
  plans: list(fields({ planId: text, type: text })),
  availableCommands: list(fields({ name: text })),
  configOptions: list(fields({ configId: text, name: text, type: text })),
  usage: fields({ state: text }),
  spent: optional(fields(tokens)),
  scheduled: optional(either(oneOf('none'), fields({ at: number, text }))),
  reviews: optional(fields({ session: text, title: text })),
  askedBy: optional(fields({ session: text, title: text, depth: number, first: text })),
  goal: optional(either(oneOf('none'), fields({ objective: text }))),
  suggestions: optional(list(text)),
  retry: maybeText,
  limits: optional(list(fields({ type: text, state: text, resetsAt: maybeNumber, used: maybeNumber }))),
  queue: list(fields({ id: text, text, attachments: optional(list(fields({ type: text }))) })),
});

const terminal = fields({
  terminalId: text,
  driver: text,
  command: text,
  cwd: text,
  output: text,
  hidden: number,
  exit: fields({ state: text }),
});

const stored = fields({
  version: oneOf(1),
  key: text,
  snapshot: fields({
    rev: number,
    view,
    entries: list(entry),
    omitted: number,
    terminals: list(terminal),
  }),
});

/** Returns whether an option of a stored session can be shown. One that can't doesn't make the session unreadable. */
export function canShowOption(option: unknown): boolean {
  return configOption(option);
}

/** Returns whether a value has the shape of a stored session. */
export function hasStoredShape(json: unknown): boolean {
  return stored(json);
}

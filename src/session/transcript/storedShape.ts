import * as z from 'zod/mini';
import type { Entry } from '../../shared/transcript';

/**
 * The required shape of stored sessions, as far as the code relies on it. Unknown fields from newer versions are
 * ignored. Stored sessions are validated and not converted: a session is either valid or rejected.
 */

const text = z.string();
const maybeText = z.optional(text);
const content = z.array(
  z.union([
    z.looseObject({ type: z.literal('text'), text }),
    z.looseObject({ type: z.enum(['image', 'audio']), data: text, mimeType: text, uri: maybeText }),
    z.looseObject({ type: z.literal('resource_link'), uri: text, name: text }),
    z.looseObject({ type: z.literal('resource'), uri: text, text }),
    z.looseObject({ type: z.literal('resource_blob'), uri: text, blob: text }),
    z.looseObject({ type: z.literal('unknown') }),
  ]),
);
const toolContent = z.array(
  z.union([
    z.looseObject({ type: z.literal('content'), content: z.looseObject({ type: text }) }),
    z.looseObject({ type: z.literal('diff'), path: text, oldText: maybeText, newText: text }),
    z.looseObject({ type: z.literal('change'), operation: text, path: text, oldPath: maybeText }),
    z.looseObject({ type: z.literal('terminal'), terminalId: text }),
    z.looseObject({ type: z.literal('unknown') }),
  ]),
);
const option = z.looseObject({ optionId: text, name: text, kind: text });
const permission = z.discriminatedUnion('state', [
  z.looseObject({ state: z.literal('none') }),
  z.looseObject({ state: z.literal('asked'), request: z.unknown(), options: z.array(option) }),
  z.looseObject({ state: z.literal('answered'), option, reply: maybeText, isEdited: z.optional(z.literal(true)) }),
  z.looseObject({ state: z.literal('cancelled') }),
]);

const maybeNumber = z.optional(z.number());
const tokens = {
  total: z.number(),
  input: z.number(),
  output: z.number(),
  thought: maybeNumber,
  cachedRead: maybeNumber,
  cachedWrite: maybeNumber,
};
const turnSummary = z.looseObject({
  startedAt: z.number(),
  endedAt: maybeNumber,
  brokenBy: maybeText,
  model: maybeText,
  tokens: z.optional(
    z.looseObject({ ...tokens, models: z.optional(z.array(z.looseObject({ ...tokens, model: text }))) }),
  ),
  cost: z.optional(z.looseObject({ amount: z.number(), currency: text })),
});

const base = {
  id: text,
  turn: z.number(),
  subagent: maybeText,
  turnSummary: z.optional(turnSummary),
  earlier: z.optional(z.literal(true)),
};
/**
 * The fields of each kind of entry besides the base. A missing kind is a type error, because its sessions would count
 * as damaged.
 */
const entryFields = {
  user_message: { content, isReported: z.optional(z.literal(true)) },
  agent_message: { content },
  agent_thought: { content, startedAt: z.number() },
  tool_call: {
    toolCallId: text,
    title: text,
    toolKind: text,
    status: text,
    content: toolContent,
    locations: z.array(z.looseObject({ path: text })),
    permission,
    startedAt: z.number(),
  },
  plan: { planId: text, plan: z.optional(z.looseObject({ planId: text, type: text })) },
  notice: { severity: text, title: text, description: maybeText },
  compaction: { status: text, summary: content },
  elicitation: {
    message: text,
    question: z.discriminatedUnion('state', [
      z.looseObject({ state: z.literal('submitted'), answers: z.array(z.looseObject({ label: text, value: text })) }),
      z.looseObject({ state: z.literal('opened'), host: text }),
      z.looseObject({ state: z.enum(['asked', 'declined', 'dismissed', 'withdrawn', 'completed']) }),
    ]),
  },
  error: {
    code: text,
    title: text,
    actions: z.array(text),
    limit: z.optional(z.looseObject({ type: text, resetsAt: maybeNumber })),
  },
  login: {
    methods: z.array(z.looseObject({ methodId: text, name: text })),
    progress: z.looseObject({ state: text }),
  },
  subagent: { sessionId: text, title: text, state: text },
} satisfies Record<Entry['kind'], z.core.$ZodShape>;
const shapes = Object.entries(entryFields).map(([kind, fields]) =>
  z.looseObject({ kind: z.literal(kind), ...base, ...fields }),
);
const entry = z.discriminatedUnion('kind', shapes as [(typeof shapes)[number], ...typeof shapes]);

const configOption = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('select'),
    configId: text,
    name: text,
    via: text,
    currentValue: text,
    choices: z.array(z.looseObject({ value: text, name: text })),
  }),
  z.looseObject({ type: z.literal('boolean'), configId: text, name: text, via: text, currentValue: z.boolean() }),
]);

const view = z.looseObject({
  agentId: text,
  agentName: text,
  agentVersion: text,
  sessionId: text,
  title: text,
  cwd: text,
  additionalDirectories: z.optional(z.array(text)),
  connection: z.looseObject({ state: text }),
  activity: z.looseObject({ state: text }),
  plans: z.array(z.looseObject({ planId: text, type: text })),
  availableCommands: z.array(z.looseObject({ name: text })),
  configOptions: z.array(z.looseObject({ configId: text, name: text, type: text })),
  usage: z.looseObject({ state: text }),
  spent: z.optional(z.looseObject(tokens)),
  scheduled: z.optional(z.union([z.literal('none'), z.looseObject({ at: z.number(), text })])),
  reviews: z.optional(z.looseObject({ session: text, title: text })),
  askedBy: z.optional(z.looseObject({ session: text, title: text, depth: z.number(), first: text })),
  goal: z.optional(z.union([z.literal('none'), z.looseObject({ objective: text })])),
  suggestions: z.optional(z.array(text)),
  retry: maybeText,
  limits: z.optional(z.array(z.looseObject({ type: text, state: text, resetsAt: maybeNumber, used: maybeNumber }))),
  queue: z.array(z.looseObject({ id: text, text, attachments: z.optional(z.array(z.looseObject({ type: text }))) })),
});

const terminal = z.looseObject({
  terminalId: text,
  driver: text,
  command: text,
  cwd: text,
  output: text,
  hidden: z.number(),
  exit: z.looseObject({ state: text }),
});

const stored = z.looseObject({
  version: z.literal(1),
  key: text,
  snapshot: z.looseObject({
    rev: z.number(),
    view,
    entries: z.array(entry),
    omitted: z.number(),
    terminals: z.array(terminal),
  }),
});

/** Returns whether an option of a stored session can be shown. One that can't doesn't make the session unreadable. */
export function canShowOption(option: unknown): boolean {
  return configOption.safeParse(option).success;
}

/** Returns whether a value has the shape of a stored session. */
export function hasStoredShape(json: unknown): boolean {
  return stored.safeParse(json).success;
}

import * as l10n from '@vscode/l10n';

interface Property {
  readonly type: 'string' | 'integer' | 'boolean' | 'object';
  readonly description?: string;
}

/** While a call runs and when it is done, with what it is about, and without. */
type Verbs = readonly [now: string, done: string, nowAlone?: string, doneAlone?: string];

/** What users read about a tool. */
interface ToolWords {
  /** Its name and what it does. The settings say the same. */
  readonly label: string;
  readonly about: string;
  readonly verbs: Verbs;
  /** What a call has done that has found this many. */
  readonly found?: (count: number) => string;
  /** The question whether an agent may call it. `object` is what the call is about, empty if that isn't known. */
  readonly ask: (agent: string, object: string) => string;
  /** The title of Parley's own request before it does more than read. */
  readonly request?: (...parts: readonly string[]) => string;
}

/** A tool of the editor, without the code that runs it. */
export interface EditorToolRow {
  /** For models. Each of its characters costs every session that is offered it. */
  readonly description: string;
  readonly properties: Readonly<Record<string, Property>>;
  readonly required: readonly string[];
  /** What the tool does besides reading. */
  readonly effect: 'none' | 'shows' | 'changesFiles' | 'runs';
  /** Whether every session gets it unless the user turns it off. All others are offered by a setting. */
  readonly isDefault: boolean;
  readonly words: () => ToolWords;
}

const path = { type: 'string', description: 'Relative to the session folder, or absolute' } as const;
const symbol = { type: 'string', description: 'Name as written in that line' } as const;
const line = { type: 'integer', description: '1-based' } as const;
const offset = { type: 'integer' } as const;
const atSymbol = { path, line, symbol } as const;

/** The editor's tools, in the order in which agents and users get them: the defaults first. */
export const editorTools = {
  getDiagnostics: {
    description:
      'Errors and warnings of one file, or of all files that the editor has checked. Up to date after an edit.',
    properties: { path, offset },
    required: [],
    effect: 'none',
    isDefault: true,
    words: () => ({
      label: l10n.t('Problems'),
      about: l10n.t('Lists errors and warnings, up to date after an edit.'),
      verbs: [
        l10n.t('Checking problems in'),
        l10n.t('Checked problems in'),
        l10n.t('Checking problems'),
        l10n.t('Checked problems'),
      ],
      found: (count: number) => {
        if (count === 0) return l10n.t('Found no problems in');
        return count === 1 ? l10n.t('Found 1 problem in') : l10n.t('Found {0} problems in', count);
      },
      ask: (agent: string, object: string) =>
        object === ''
          ? l10n.t('Let {0} check problems?', agent)
          : l10n.t('Let {0} check problems in {1}?', agent, object),
    }),
  },
  getSelection: {
    description: 'The file, the position, and the selected text of the active editor.',
    properties: {},
    required: [],
    effect: 'none',
    isDefault: true,
    words: () => ({
      label: l10n.t('Selection'),
      about: l10n.t('Reads the active file and its selected text.'),
      verbs: [l10n.t('Reading the selection'), l10n.t('Read the selection')],
      ask: (agent: string) => l10n.t('Let {0} read the selection?', agent),
    }),
  },
  getOpenEditors: {
    description: 'Files open in the editor, and which have unsaved changes.',
    properties: {},
    required: [],
    effect: 'none',
    isDefault: true,
    words: () => ({
      label: l10n.t('Open files'),
      about: l10n.t('Lists open files, and which have unsaved changes.'),
      verbs: [l10n.t('Listing open files'), l10n.t('Listed open files')],
      ask: (agent: string) => l10n.t('Let {0} list open files?', agent),
    }),
  },
  readBuffer: {
    description: 'The text of a file as the user sees it, with unsaved changes.',
    properties: { path, line, limit: { type: 'integer', description: 'Number of lines' } },
    required: ['path'],
    effect: 'none',
    isDefault: true,
    words: () => ({
      label: l10n.t('Unsaved text'),
      about: l10n.t('Reads a file as you see it, with unsaved changes.'),
      verbs: [
        l10n.t('Reading unsaved text of'),
        l10n.t('Read unsaved text of'),
        l10n.t('Reading unsaved text'),
        l10n.t('Read unsaved text'),
      ],
      ask: (agent: string, object: string) =>
        object === ''
          ? l10n.t('Let {0} read unsaved text?', agent)
          : l10n.t('Let {0} read unsaved text of {1}?', agent, object),
    }),
  },
  findReferences: {
    description: 'All uses of a symbol, found by the language service.',
    properties: { ...atSymbol, offset },
    required: ['path', 'symbol'],
    effect: 'none',
    isDefault: true,
    words: () => ({
      label: l10n.t('References'),
      about: l10n.t('Finds all uses of a symbol.'),
      verbs: [
        l10n.t('Looking up references of'),
        l10n.t('Looked up references of'),
        l10n.t('Looking up references'),
        l10n.t('Looked up references'),
      ],
      found: (count: number) =>
        count === 1 ? l10n.t('Looked up 1 reference of') : l10n.t('Looked up {0} references of', count),
      ask: (agent: string, object: string) =>
        object === ''
          ? l10n.t('Let {0} look up references?', agent)
          : l10n.t('Let {0} look up references of {1}?', agent, object),
    }),
  },
  goToDefinition: {
    description: 'Where a symbol is defined.',
    properties: { ...atSymbol, offset },
    required: ['path', 'symbol'],
    effect: 'none',
    isDefault: true,
    words: () => ({
      label: l10n.t('Definitions'),
      about: l10n.t('Finds where a symbol is defined.'),
      verbs: [
        l10n.t('Looking up the definition of'),
        l10n.t('Looked up the definition of'),
        l10n.t('Looking up a definition'),
        l10n.t('Looked up a definition'),
      ],
      ask: (agent: string, object: string) =>
        object === ''
          ? l10n.t('Let {0} look up a definition?', agent)
          : l10n.t('Let {0} look up the definition of {1}?', agent, object),
    }),
  },
  documentSymbols: {
    description: 'Outline of a file: its symbols with their lines.',
    properties: { path, offset },
    required: ['path'],
    effect: 'none',
    isDefault: true,
    words: () => ({
      label: l10n.t('Outline'),
      about: l10n.t('Lists the symbols of a file.'),
      verbs: [
        l10n.t('Reading the outline of'),
        l10n.t('Read the outline of'),
        l10n.t('Reading the outline of a file'),
        l10n.t('Read the outline of a file'),
      ],
      ask: (agent: string, object: string) =>
        object === ''
          ? l10n.t('Let {0} read the outline of a file?', agent)
          : l10n.t('Let {0} read the outline of {1}?', agent, object),
    }),
  },
  workspaceSymbols: {
    description: 'Finds symbols of the workspace by name.',
    properties: { query: { type: 'string' }, offset },
    required: ['query'],
    effect: 'none',
    isDefault: true,
    words: () => ({
      label: l10n.t('Workspace symbols'),
      about: l10n.t('Finds symbols by name.'),
      verbs: [
        l10n.t('Looking up symbols like'),
        l10n.t('Looked up symbols like'),
        l10n.t('Looking up symbols'),
        l10n.t('Looked up symbols'),
      ],
      ask: (agent: string, object: string) =>
        object === ''
          ? l10n.t('Let {0} look up symbols?', agent)
          : l10n.t('Let {0} look up symbols like {1}?', agent, object),
    }),
  },
  hover: {
    description: 'Type and documentation of a symbol.',
    properties: atSymbol,
    required: ['path'],
    effect: 'none',
    isDefault: true,
    words: () => ({
      label: l10n.t('Types and documentation'),
      about: l10n.t('Reads the type and the documentation of a symbol.'),
      verbs: [
        l10n.t('Looking up the type of'),
        l10n.t('Looked up the type of'),
        l10n.t('Looking up a type'),
        l10n.t('Looked up a type'),
      ],
      ask: (agent: string, object: string) =>
        object === ''
          ? l10n.t('Let {0} look up a type?', agent)
          : l10n.t('Let {0} look up the type of {1}?', agent, object),
    }),
  },
  findImplementations: {
    description: 'Implementations of an interface, a class, or a method.',
    properties: { ...atSymbol, offset },
    required: ['path', 'symbol'],
    effect: 'none',
    isDefault: false,
    words: () => ({
      label: l10n.t('Find implementations'),
      about: l10n.t('Finds implementations of an interface, a class, or a method.'),
      verbs: [
        l10n.t('Looking up implementations of'),
        l10n.t('Looked up implementations of'),
        l10n.t('Looking up implementations'),
        l10n.t('Looked up implementations'),
      ],
      found: (count: number) =>
        count === 1 ? l10n.t('Looked up 1 implementation of') : l10n.t('Looked up {0} implementations of', count),
      ask: (agent: string, object: string) =>
        object === ''
          ? l10n.t('Let {0} look up implementations?', agent)
          : l10n.t('Let {0} look up implementations of {1}?', agent, object),
    }),
  },
  callHierarchy: {
    description: 'Callers of a function, or what it calls.',
    properties: { ...atSymbol, outgoing: { type: 'boolean', description: 'What it calls, instead of its callers' } },
    required: ['path', 'symbol'],
    effect: 'none',
    isDefault: false,
    words: () => ({
      label: l10n.t('Call hierarchy'),
      about: l10n.t('Finds the callers of a function, and what it calls.'),
      verbs: [
        l10n.t('Looking up calls of'),
        l10n.t('Looked up calls of'),
        l10n.t('Looking up calls'),
        l10n.t('Looked up calls'),
      ],
      ask: (agent: string, object: string) =>
        object === ''
          ? l10n.t('Let {0} look up calls?', agent)
          : l10n.t('Let {0} look up calls of {1}?', agent, object),
    }),
  },
  renameSymbol: {
    description: 'Renames a symbol and all its uses in the workspace.',
    properties: { path, line, symbol: { type: 'string' }, newName: { type: 'string' } },
    required: ['path', 'symbol', 'newName'],
    effect: 'changesFiles',
    isDefault: false,
    words: () => ({
      label: l10n.t('Rename symbols'),
      about: l10n.t('Renames a symbol and all its uses. The change waits for review.'),
      verbs: [l10n.t('Renaming'), l10n.t('Renamed'), l10n.t('Renaming a symbol'), l10n.t('Renamed a symbol')],
      ask: (agent: string, object: string) =>
        object === '' ? l10n.t('Let {0} rename a symbol?', agent) : l10n.t('Let {0} rename {1}?', agent, object),
      request: (symbol: string, newName: string) => l10n.t('Rename {0} to {1}', symbol, newName),
    }),
  },
  listCodeActions: {
    description: 'Quick fixes and refactorings that the editor offers for a line.',
    properties: { path, line },
    required: ['path', 'line'],
    effect: 'none',
    isDefault: false,
    words: () => ({
      label: l10n.t('List code actions'),
      about: l10n.t('Lists quick fixes and refactorings for a line.'),
      verbs: [
        l10n.t('Looking up code actions in'),
        l10n.t('Looked up code actions in'),
        l10n.t('Looking up code actions'),
        l10n.t('Looked up code actions'),
      ],
      ask: (agent: string, object: string) =>
        object === ''
          ? l10n.t('Let {0} look up code actions?', agent)
          : l10n.t('Let {0} look up code actions in {1}?', agent, object),
    }),
  },
  applyCodeAction: {
    description: 'Applies a code action of listCodeActions.',
    properties: { path, line, title: { type: 'string' } },
    required: ['path', 'line', 'title'],
    effect: 'changesFiles',
    isDefault: false,
    words: () => ({
      label: l10n.t('Apply code actions'),
      about: l10n.t('Applies a quick fix or a refactoring. The change waits for review.'),
      verbs: [l10n.t('Applying'), l10n.t('Applied'), l10n.t('Applying a code action'), l10n.t('Applied a code action')],
      ask: (agent: string, object: string) =>
        object === '' ? l10n.t('Let {0} apply a code action?', agent) : l10n.t('Let {0} apply {1}?', agent, object),
    }),
  },
  formatFile: {
    description: 'Formats a file as the editor does.',
    properties: { path },
    required: ['path'],
    effect: 'changesFiles',
    isDefault: false,
    words: () => ({
      label: l10n.t('Format files'),
      about: l10n.t('Formats a file as the editor does. The change waits for review.'),
      verbs: [l10n.t('Formatting'), l10n.t('Formatted'), l10n.t('Formatting a file'), l10n.t('Formatted a file')],
      ask: (agent: string, object: string) =>
        object === '' ? l10n.t('Let {0} format a file?', agent) : l10n.t('Let {0} format {1}?', agent, object),
      request: (file: string) => l10n.t('Format {0}', file),
    }),
  },
  openFile: {
    description: 'Shows a file to the user.',
    properties: { path, line },
    required: ['path'],
    effect: 'shows',
    isDefault: false,
    words: () => ({
      label: l10n.t('Open files'),
      about: l10n.t('Shows you a file without moving the focus.'),
      verbs: [l10n.t('Opening'), l10n.t('Opened'), l10n.t('Opening a file'), l10n.t('Opened a file')],
      ask: (agent: string, object: string) =>
        object === '' ? l10n.t('Let {0} open a file?', agent) : l10n.t('Let {0} open {1}?', agent, object),
    }),
  },
  listTasks: {
    description: 'Build, test, and other tasks that the editor can run.',
    properties: {},
    required: [],
    effect: 'none',
    isDefault: false,
    words: () => ({
      label: l10n.t('List tasks'),
      about: l10n.t('Lists the tasks that the editor can run.'),
      verbs: [l10n.t('Listing tasks'), l10n.t('Listed tasks')],
      ask: (agent: string) => l10n.t('Let {0} list tasks?', agent),
    }),
  },
  runTask: {
    description: 'Runs a task of listTasks and waits for its exit code.',
    properties: { name: { type: 'string' } },
    required: ['name'],
    effect: 'runs',
    isDefault: false,
    words: () => ({
      label: l10n.t('Run tasks'),
      about: l10n.t('Runs a task. You are asked unless a permission rule allows it.'),
      verbs: [l10n.t('Running the task'), l10n.t('Ran the task'), l10n.t('Running a task'), l10n.t('Ran a task')],
      ask: (agent: string, object: string) =>
        object === '' ? l10n.t('Let {0} run a task?', agent) : l10n.t('Let {0} run the task {1}?', agent, object),
      request: (task: string) => l10n.t('Run task {0}', task),
    }),
  },
  debugState: {
    description: 'Breakpoints, and where the debugged program has stopped: its stack and its variables.',
    properties: {},
    required: [],
    effect: 'none',
    isDefault: false,
    words: () => ({
      label: l10n.t('Read the debugger'),
      about: l10n.t('Reads breakpoints, the call stack, and variables while a program is stopped.'),
      verbs: [l10n.t('Reading the debugger’s state'), l10n.t('Read the debugger’s state')],
      ask: (agent: string) => l10n.t('Let {0} read the debugger’s state?', agent),
    }),
  },
  debugEvaluate: {
    description: 'Evaluates an expression where the debugged program has stopped.',
    properties: { expression: { type: 'string' } },
    required: ['expression'],
    effect: 'runs',
    isDefault: false,
    words: () => ({
      label: l10n.t('Evaluate in the debugger'),
      about: l10n.t(
        'Evaluates an expression in the stopped program. You are asked unless a permission rule allows it.',
      ),
      verbs: [
        l10n.t('Evaluating'),
        l10n.t('Evaluated'),
        l10n.t('Evaluating an expression'),
        l10n.t('Evaluated an expression'),
      ],
      ask: (agent: string, object: string) =>
        object === ''
          ? l10n.t('Let {0} evaluate an expression?', agent)
          : l10n.t('Let {0} evaluate {1}?', agent, object),
      request: (expression: string) => l10n.t('Evaluate {0}', expression),
    }),
  },
  extensionTools: {
    description: 'Lists the tools of other extensions, or runs one.',
    properties: { name: { type: 'string' }, input: { type: 'object' } },
    required: [],
    effect: 'runs',
    isDefault: false,
    words: () => ({
      label: l10n.t('Tools of other extensions'),
      about: l10n.t(
        'Lists and runs the language model tools of other extensions. You are asked unless a permission rule allows it.',
      ),
      verbs: [
        l10n.t('Calling'),
        l10n.t('Called'),
        l10n.t('Listing tools of extensions'),
        l10n.t('Listed tools of extensions'),
      ],
      ask: (agent: string, object: string) =>
        object === '' ? l10n.t('Let {0} list tools of extensions?', agent) : l10n.t('Let {0} call {1}?', agent, object),
      request: (tool: string) => l10n.t('Run the tool {0}', tool),
    }),
  },
  listAgents: {
    description: 'Other coding agents that you can ask.',
    properties: {},
    required: [],
    effect: 'none',
    isDefault: false,
    words: () => ({
      label: l10n.t('List agents'),
      about: l10n.t('Lists your agents, for an agent that wants to ask another one.'),
      verbs: [l10n.t('Listing agents'), l10n.t('Listed agents')],
      ask: (agent: string) => l10n.t('Let {0} list agents?', agent),
    }),
  },
  startSession: {
    description:
      'Starts a session of another agent in this folder, with a task. It knows nothing of this conversation.',
    properties: {
      agent: { type: 'string', description: 'A name that listAgents returns' },
      prompt: { type: 'string' },
    },
    required: ['agent', 'prompt'],
    effect: 'runs',
    isDefault: false,
    words: () => ({
      label: l10n.t('Start sessions with other agents'),
      about: l10n.t(
        'Starts a session with another agent in the same folder. You are asked unless a permission rule allows it.',
      ),
      verbs: [
        l10n.t('Starting a session with'),
        l10n.t('Started a session with'),
        l10n.t('Starting a session'),
        l10n.t('Started a session'),
      ],
      ask: (agent: string, object: string) =>
        object === ''
          ? l10n.t('Let {0} start a session with another agent?', agent)
          : l10n.t('Let {0} start a session with {1}?', agent, object),
      request: (agent: string) => l10n.t('Start a session with {0}', agent),
    }),
  },
  readAnswer: {
    description: 'Waits for the answer of a session that you started.',
    properties: { session: { type: 'string' } },
    required: ['session'],
    effect: 'none',
    isDefault: false,
    words: () => ({
      label: l10n.t('Read answers'),
      about: l10n.t('Reads the answer of a session that the agent started.'),
      verbs: [l10n.t('Waiting for an answer'), l10n.t('Read an answer')],
      ask: (agent: string) => l10n.t('Let {0} read an answer?', agent),
    }),
  },
} as const satisfies Readonly<Record<string, EditorToolRow>>;

export type EditorToolName = keyof typeof editorTools;

/** Their names, in the same order. */
export const editorToolNames = Object.keys(editorTools) as readonly EditorToolName[];

export function isEditorTool(name: string): name is EditorToolName {
  return Object.hasOwn(editorTools, name);
}

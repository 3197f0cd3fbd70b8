import * as l10n from '@vscode/l10n';

/** A tool's label and what it does, for the user. The settings say the same. */
type Words = readonly [label: string, description: string];

/** Returns the words for each of the editor's tools, in the order in which they are shown. */
export function toolWords(): Readonly<Record<string, Words>> {
  return {
    getDiagnostics: [l10n.t('Problems'), l10n.t('Lists errors and warnings, up to date after an edit.')],
    getSelection: [l10n.t('Selection'), l10n.t('Reads the active file and its selected text.')],
    getOpenEditors: [l10n.t('Open files'), l10n.t('Lists open files, and which have unsaved changes.')],
    readBuffer: [l10n.t('Unsaved text'), l10n.t('Reads a file as you see it, with unsaved changes.')],
    findReferences: [l10n.t('References'), l10n.t('Finds all uses of a symbol.')],
    goToDefinition: [l10n.t('Definitions'), l10n.t('Finds where a symbol is defined.')],
    documentSymbols: [l10n.t('Outline'), l10n.t('Lists the symbols of a file.')],
    workspaceSymbols: [l10n.t('Workspace symbols'), l10n.t('Finds symbols by name.')],
    hover: [l10n.t('Types and documentation'), l10n.t('Reads the type and the documentation of a symbol.')],
    findImplementations: [
      l10n.t('Find implementations'),
      l10n.t('Finds implementations of an interface, a class, or a method.'),
    ],
    callHierarchy: [l10n.t('Call hierarchy'), l10n.t('Finds the callers of a function, and what it calls.')],
    renameSymbol: [l10n.t('Rename symbols'), l10n.t('Renames a symbol and all its uses. The change waits for review.')],
    listCodeActions: [l10n.t('List code actions'), l10n.t('Lists quick fixes and refactorings for a line.')],
    applyCodeAction: [
      l10n.t('Apply code actions'),
      l10n.t('Applies a quick fix or a refactoring. The change waits for review.'),
    ],
    formatFile: [l10n.t('Format files'), l10n.t('Formats a file as the editor does. The change waits for review.')],
    openFile: [l10n.t('Open files'), l10n.t('Shows you a file without moving the focus.')],
    listTasks: [l10n.t('List tasks'), l10n.t('Lists the tasks that the editor can run.')],
    runTask: [l10n.t('Run tasks'), l10n.t('Runs a task. You are asked unless a permission rule allows it.')],
    debugState: [
      l10n.t('Read the debugger'),
      l10n.t('Reads breakpoints, the call stack, and variables while a program is stopped.'),
    ],
    debugEvaluate: [
      l10n.t('Evaluate in the debugger'),
      l10n.t('Evaluates an expression in the stopped program. You are asked unless a permission rule allows it.'),
    ],
    extensionTools: [
      l10n.t('Tools of other extensions'),
      l10n.t(
        'Lists and runs the language model tools of other extensions. You are asked unless a permission rule allows it.',
      ),
    ],
    listAgents: [l10n.t('List agents'), l10n.t('Lists your agents, for an agent that wants to ask another one.')],
    startSession: [
      l10n.t('Start sessions with other agents'),
      l10n.t(
        'Starts a session with another agent in the same folder. You are asked unless a permission rule allows it.',
      ),
    ],
    readAnswer: [l10n.t('Read answers'), l10n.t('Reads the answer of a session that the agent started.')],
  };
}

/** The tools that every session gets unless the user turns them off. */
export const defaultTools: readonly string[] = [
  'getDiagnostics',
  'getSelection',
  'getOpenEditors',
  'readBuffer',
  'findReferences',
  'goToDefinition',
  'documentSymbols',
  'workspaceSymbols',
  'hover',
];

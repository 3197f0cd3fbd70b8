/** The editor's own variables; they change how Electron and Node programs start. */
const editorVariable = /^(ELECTRON_|VSCODE_|NODE_OPTIONS$)/;

/**
 * Marks that coding agents leave for the programs they start. An agent that finds its own mark takes itself for a nested run and,
 * for example, stores no transcript. Variables by which people configure agents are not in this list.
 */
const nestingMarks = new Set([
  'CLAUDECODE',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_EXECPATH',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_SSE_PORT',
  'CODEX_SANDBOX',
  'CODEX_SANDBOX_NETWORK_DISABLED',
  'CODEX_THREAD_ID',
  'GEMINI_CLI',
  'OPENCODE',
  'OPENCODE_PID',
  'QWEN_CODE',
]);

/**
 * The environment without what belongs to this editor or to an agent that started it, and without unset entries.
 * What the user sets for an agent is added afterwards and so always counts.
 */
export function scrubEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const clean: Record<string, string> = {};
  // The editor's askpass script asks through VSCODE_* variables and fails without them.
  const askpassIsOurs = env['VSCODE_GIT_ASKPASS_NODE'] !== undefined;
  for (const [name, value] of Object.entries(env)) {
    const upper = name.toUpperCase();
    if (value === undefined || editorVariable.test(upper) || nestingMarks.has(upper)) continue;
    if (askpassIsOurs && (upper === 'GIT_ASKPASS' || upper === 'SSH_ASKPASS')) continue;
    clean[name] = value;
  }
  return clean;
}

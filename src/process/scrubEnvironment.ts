/** The editor's own variables, which change how Electron and Node programs start. */
const editorVariable = /^(ELECTRON_|VSCODE_|NODE_OPTIONS$)/;

/**
 * Marks that coding agents set for the programs they start. An agent that finds its own mark assumes a nested run and, for example, stores
 * no transcript. Variables that configure agents aren't in this list.
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
 * Returns the environment without variables of this editor or of an agent that started it, and without unset entries. The user's variables
 * for an agent are added later, so they always apply.
 */
export function scrubEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const clean: Record<string, string> = {};
  // The editor's askpass script uses VSCODE_* variables and fails without them.
  const askpassIsOurs = env['VSCODE_GIT_ASKPASS_NODE'] !== undefined;
  for (const [name, value] of Object.entries(env)) {
    const upper = name.toUpperCase();
    if (value === undefined || editorVariable.test(upper) || nestingMarks.has(upper)) continue;
    if (askpassIsOurs && (upper === 'GIT_ASKPASS' || upper === 'SSH_ASKPASS')) continue;
    clean[name] = value;
  }
  return clean;
}

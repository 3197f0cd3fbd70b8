import * as l10n from '@vscode/l10n';
import { assertNever } from '../values/assert';
import type { ChosenScope, RuleScope, WrittenRule } from './permissionRules';
import type { RiskView, ToolKind } from '../transcript/transcript';
import { showHiddenOnOneLine } from '../text/visibleText';

/** Describes in words what a rule covers. Texts of the rule are shown as they are. */
export function ruleSentence(rule: WrittenRule): string {
  const covers = conditionsOf(rule);
  const what = covers.length === 0 ? l10n.t('every request') : covers.join(' · ');
  switch (rule.answer) {
    case 'allow_once':
      return l10n.t('Allows {0}', what);
    case 'reject_once':
      return l10n.t('Rejects {0}', what);
    case 'ask':
      return l10n.t('Asks about {0}', what);
    default:
      return assertNever(rule.answer);
  }
}

/** Returns a warning for a rule that allows more than one kind of command, or hosts of many owners; empty for others. */
export function ruleWarning({ answer, command, title, kind, host }: WrittenRule): string {
  if (answer === 'allow_once' && host !== undefined && isWideHost(host))
    return l10n.t('This lets the agent send anything it can read to many hosts.');
  const isForCommands =
    kind === undefined || kind === 'execute' || (typeof kind === 'object' && kind.includes('execute'));
  const pattern = command ?? (isForCommands ? title : undefined);
  const wide = answer === 'allow_once' && pattern !== undefined ? wideRule(pattern) : undefined;
  if (!wide) return '';
  return wide.program === undefined
    ? l10n.t('This allows any command that isn’t destructive.')
    : l10n.t(
        'This allows everything that {0} can do or run, except what Parley knows to be destructive.',
        shown(wide.program),
      );
}

/** Whether a rule is for every host, or for every one below a top-level domain. */
function isWideHost(host: string): boolean {
  return /^\s*\*(\.[^.]*)?(:\d*)?\s*$/.test(host);
}

function conditionsOf({ kind, command, title, path, where, mcpServer, mcpTool, host, agent }: WrittenRule): string[] {
  const said: string[] = [];
  const kinds = kind === undefined ? [] : typeof kind === 'string' ? [kind] : kind;
  if (kinds.length > 0) said.push(kinds.map(kindWords).join(', '));
  if (command !== undefined) said.push(l10n.t('commands that match “{0}”', shown(command)));
  if (title !== undefined) said.push(l10n.t('requests titled “{0}”', shown(title)));
  if (mcpServer !== undefined && mcpTool !== undefined)
    said.push(l10n.t('the tool “{0}” of the MCP server “{1}”', shown(mcpTool), shown(mcpServer)));
  else if (mcpServer !== undefined) said.push(l10n.t('every tool of the MCP server “{0}”', shown(mcpServer)));
  else if (mcpTool !== undefined) said.push(l10n.t('the tool “{0}” of any MCP server', shown(mcpTool)));
  if (path !== undefined)
    said.push(l10n.t('in “{0}”', (typeof path === 'string' ? [path] : path).map(shown).join('”, “')));
  if (host !== undefined) said.push(l10n.t('connections to “{0}”', shown(host)));
  if (where === 'inside') said.push(l10n.t('inside the workspace'));
  if (where === 'outside') said.push(l10n.t('outside the workspace'));
  if (agent !== undefined) said.push(l10n.t('from {0}', shown(agent)));
  return said;
}

function shown(text: string): string {
  return showHiddenOnOneLine(text);
}

/** Returns the words for requests of a kind. */
export function kindWords(kind: ToolKind): string {
  switch (kind) {
    case 'read':
      return l10n.t('reading files');
    case 'edit':
      return l10n.t('editing files');
    case 'delete':
      return l10n.t('deleting files');
    case 'move':
      return l10n.t('moving files');
    case 'search':
      return l10n.t('searching');
    case 'execute':
      return l10n.t('running commands');
    case 'think':
      return l10n.t('thinking');
    case 'fetch':
      return l10n.t('loading from the network');
    case 'switch_mode':
      return l10n.t('switching modes');
    case 'other':
      return l10n.t('other tools');
    default:
      return assertNever(kind);
  }
}

/** Returns the label of a scope that a rule can be saved for. */
export function scopeLabel(scope: ChosenScope): string {
  switch (scope) {
    case 'session':
      return l10n.t('This session');
    case 'workspace':
      return l10n.t('This workspace');
    case 'user':
      return l10n.t('Everywhere');
    default:
      return assertNever(scope);
  }
}

/** Returns where a rule came from. `session` is the title of its session. */
export function originWords(scope: RuleScope, session = ''): string {
  switch (scope) {
    case 'policy':
      return l10n.t('Set by your organization');
    case 'session':
      return session === '' ? l10n.t('This session') : l10n.t('Session “{0}”', shown(session));
    case 'workspace':
      return l10n.t('This workspace');
    case 'workspaceSettings':
      return l10n.t('Workspace settings');
    case 'user':
      return l10n.t('User settings');
    default:
      return assertNever(scope);
  }
}

/** Describes what a destructive request does. */
export function riskWords({ kind }: RiskView): string {
  switch (kind) {
    case 'deletes':
      return l10n.t('Deletes folders or many files');
    case 'forcePush':
      return l10n.t('Overwrites commits on a server');
    case 'discards':
      return l10n.t('Discards changes that aren’t committed');
    case 'publishes':
      return l10n.t('Publishes a package');
    case 'runsDownload':
      return l10n.t('Runs a script from the network');
    case 'disk':
      return l10n.t('Writes directly to a disk');
    case 'permissions':
      return l10n.t('Changes permissions or owners of many files');
    case 'elevates':
      return l10n.t('Runs with administrator permissions');
    case 'erases':
      return l10n.t('Erases the contents of files');
    case 'infrastructure':
      return l10n.t('Deletes resources outside this computer');
    case 'database':
      return l10n.t('Deletes data of a database');
    case 'configures':
      return l10n.t('Changes which programs run later');
    case 'stops':
      return l10n.t('Stops services or other programs');
    case 'runsPrograms':
      return l10n.t('Runs another program, named in an option');
    case 'mayDestroy':
      return l10n.t('May delete or overwrite something');
    default:
      return assertNever(kind);
  }
}

/*
 * Rules that allow more than one kind of command. Parley never offers them, but users can type them, so they carry a
 * warning.
 */

/** Programs that run whatever their arguments say: shells, interpreters, and launchers. */
const runsAnything =
  /^(((ba|z|da|k|a|fi|c|tc)?sh|pwsh|powershell|cmd|python[\d.]*|node|deno|bun|ruby|perl|php|lua|java|tsx|ts-node|osascript|eval|source|\.|awk|gawk|sed|vim?|emacs)|(env|sudo|doas|su|ssh|xargs|find|fd|parallel|watch|time|timeout|nice|nohup|busybox|toybox|cross-env|cross-env-shell|dotenv|env-cmd|npx|bunx|pnpx|uvx|entr|nodemon|watchexec|concurrently|hyperfine|strace|script|flock|chroot|start|call|wsl|tmux|screen|rsync|scp|tar|make|just|task|rake|docker|podman|kubectl|psql|mysql|sqlite3|mongosh|code|open|xdg-open|git|gh|glab|npm|pnpm|yarn|cargo|go|aws|gcloud|az|terraform|helm|mvn|gradle|dotnet|pip|pip3|uv|poetry|bundle|brew|apt|apt-get))$/;
/** Verbs after which a launcher runs what follows. */
const launches = /^(run|exec|x|dlx|config|api|compose|-[a-z]+|--[a-z-]+)$/;

/** Returns what a pattern that allows is too wide for: any command at all, or anything that a program can run. */
function wideRule(pattern: string): { readonly program?: string } | undefined {
  if (/^\/\^?\.[*+]/.test(pattern)) return {};
  const words = pattern.trim().split(/\s+/);
  const [program = ''] = words;
  if (/[*?]/.test(program)) return {};
  const wild = words.findIndex((word) => /[*?]/.test(word));
  const name = program.replace(/^.*[\\/]/s, '').replace(/\.(exe|cmd|bat)$/i, '');
  if (wild < 1 || !runsAnything.test(name)) return undefined;
  return words.slice(1, wild).every((word) => launches.test(word)) && words[wild] === '*'
    ? { program: name }
    : undefined;
}

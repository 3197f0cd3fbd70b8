/**
 * A place whose files make programs run, or decide what agents and other tools may do. A change there gives its author
 * more than the user allowed, so it always needs the user's own answer: no rule, grant, or setting allows it. Data
 * only; docs/security.md documents the list.
 */
export interface GuardedPlace {
  /** Why a change there needs an answer. */
  readonly reason: GuardedReason;
}

export type GuardedReason =
  /** The editor's settings, tasks, and launch configurations, including Parley's rules. */
  | 'editorSettings'
  /** Git's hooks and configuration: programs that run with the next commit, checkout, or status. */
  | 'gitHooks'
  /** Agents' permissions, and the MCP servers, hooks, and commands that they run. */
  | 'agentSettings'
  /** Programs that a shell, a package manager, or a container runs automatically. */
  | 'startupFiles'
  /** Workflows that run elsewhere with the repository's secrets. */
  | 'automation'
  /** Keys, tokens, and the addresses they are sent to. */
  | 'credentials';

/** Folders by name, anywhere in a path. The folders and all of their contents are guarded. */
const folders: Readonly<Record<string, GuardedReason>> = {
  '.vscode': 'editorSettings',
  '.vscode-server': 'editorSettings',
  '.vscode-oss': 'editorSettings',
  '.vscode-insiders': 'editorSettings',
  '.idea': 'editorSettings',
  '.zed': 'editorSettings',
  '.fleet': 'editorSettings',
  '.git': 'gitHooks',
  '.githooks': 'gitHooks',
  '.husky': 'gitHooks',
  '.lefthook': 'gitHooks',
  '.claude': 'agentSettings',
  '.codex': 'agentSettings',
  '.gemini': 'agentSettings',
  '.qwen': 'agentSettings',
  '.cursor': 'agentSettings',
  '.windsurf': 'agentSettings',
  '.opencode': 'agentSettings',
  '.copilot': 'agentSettings',
  '.goose': 'agentSettings',
  '.kilocode': 'agentSettings',
  '.roo': 'agentSettings',
  '.clinerules': 'agentSettings',
  '.continue': 'agentSettings',
  '.kimi': 'agentSettings',
  '.factory': 'agentSettings',
  '.augment': 'agentSettings',
  '.amazonq': 'agentSettings',
  '.kiro': 'agentSettings',
  '.junie': 'agentSettings',
  '.devcontainer': 'startupFiles',
  '.direnv': 'startupFiles',
  '.mise': 'startupFiles',
  '.circleci': 'automation',
  '.buildkite': 'automation',
  '.ssh': 'credentials',
  '.gnupg': 'credentials',
  '.aws': 'credentials',
  '.azure': 'credentials',
  '.kube': 'credentials',
};

/** Folders by the last two names of their path. */
const nestedFolders: Readonly<Record<string, GuardedReason>> = {
  '.config/code': 'editorSettings',
  '.config/code - insiders': 'editorSettings',
  '.config/vscodium': 'editorSettings',
  'application support/code': 'editorSettings',
  'application support/code - insiders': 'editorSettings',
  'application support/vscodium': 'editorSettings',
  'roaming/code': 'editorSettings',
  'roaming/code - insiders': 'editorSettings',
  'roaming/vscodium': 'editorSettings',
  '.github/workflows': 'automation',
  '.github/actions': 'automation',
  '.github/hooks': 'agentSettings',
  '.gitea/workflows': 'automation',
  '.forgejo/workflows': 'automation',
  '.config/fish': 'startupFiles',
  '.config/git': 'gitHooks',
  '.config/autostart': 'startupFiles',
  '.config/systemd': 'startupFiles',
  '.config/goose': 'agentSettings',
  '.config/opencode': 'agentSettings',
  '.config/github-copilot': 'credentials',
  '.config/gh': 'credentials',
  '.config/gcloud': 'credentials',
  'library/launchagents': 'startupFiles',
  'programs/startup': 'startupFiles',
  'library/keychains': 'credentials',
};

/** Files by name, in any folder. */
const files: Readonly<Record<string, GuardedReason>> = {
  '.gitconfig': 'gitHooks',
  '.gitmodules': 'gitHooks',
  '.lefthook.yml': 'gitHooks',
  '.lefthook.yaml': 'gitHooks',
  'lefthook.yml': 'gitHooks',
  'lefthook.yaml': 'gitHooks',
  '.pre-commit-config.yaml': 'gitHooks',
  '.mcp.json': 'agentSettings',
  'mcp.json': 'agentSettings',
  '.claude.json': 'agentSettings',
  'opencode.json': 'agentSettings',
  'opencode.jsonc': 'agentSettings',
  'codex.toml': 'agentSettings',
  '.aider.conf.yml': 'agentSettings',
  '.cursorrules': 'agentSettings',
  '.goosehints': 'agentSettings',
  'nanocoder.config.json': 'agentSettings',
  'agents.config.json': 'agentSettings',
  '.envrc': 'startupFiles',
  '.npmrc': 'startupFiles',
  '.pnpmfile.cjs': 'startupFiles',
  '.yarnrc': 'startupFiles',
  '.yarnrc.yml': 'startupFiles',
  'bunfig.toml': 'startupFiles',
  'pip.conf': 'startupFiles',
  '.devcontainer.json': 'startupFiles',
  '.mise.toml': 'startupFiles',
  'mise.toml': 'startupFiles',
  '.bashrc': 'startupFiles',
  '.bash_profile': 'startupFiles',
  '.bash_login': 'startupFiles',
  '.bash_logout': 'startupFiles',
  '.bash_aliases': 'startupFiles',
  '.profile': 'startupFiles',
  '.zshrc': 'startupFiles',
  '.zshenv': 'startupFiles',
  '.zprofile': 'startupFiles',
  '.zlogin': 'startupFiles',
  '.zlogout': 'startupFiles',
  '.kshrc': 'startupFiles',
  '.cshrc': 'startupFiles',
  '.tcshrc': 'startupFiles',
  '.inputrc': 'startupFiles',
  '.xprofile': 'startupFiles',
  '.xinitrc': 'startupFiles',
  '.vimrc': 'startupFiles',
  '.exrc': 'startupFiles',
  '.nvimrc': 'startupFiles',
  '.pam_environment': 'startupFiles',
  'profile.ps1': 'startupFiles',
  '.gitlab-ci.yml': 'automation',
  'azure-pipelines.yml': 'automation',
  jenkinsfile: 'automation',
  '.travis.yml': 'automation',
  '.netrc': 'credentials',
  _netrc: 'credentials',
  '.git-credentials': 'credentials',
  '.pypirc': 'credentials',
};

/** Files by the end of their name. */
const endings: Readonly<Record<string, GuardedReason>> = {
  '.code-workspace': 'editorSettings',
  '_profile.ps1': 'startupFiles',
};

/** Returns all names of the list by reason. Folders end in a slash, and `*` stands for the beginning of a name. */
export function guardedNames(): ReadonlyMap<GuardedReason, readonly string[]> {
  const names = new Map<GuardedReason, string[]>();
  const add = (list: Readonly<Record<string, GuardedReason>>, shown: (name: string) => string) => {
    for (const [name, reason] of Object.entries(list)) names.set(reason, [...(names.get(reason) ?? []), shown(name)]);
  };
  add(folders, (name) => `${name}/`);
  add(nestedFolders, (name) => `${name}/`);
  add(files, (name) => name);
  add(endings, (name) => `*${name}`);
  return names;
}

/**
 * Returns the guarded place that a path belongs to, if a change of the file or folder needs the user's own answer.
 * Ignores case and matches names anywhere in the path, since some systems ignore case; a path with `\` is also read
 * with `/`. The caller must check both the path as written and its link target. `root` is the folder that the path is
 * judged in, so that a project below `~/.codex/worktrees` isn't guarded as a whole.
 */
export function guardedPlace(path: string, root = ''): GuardedPlace | undefined {
  const inner = withoutRoot(forward(path), forward(root));
  const names = inner
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .map(plainName);
  for (const [index, name] of names.entries()) {
    const reason = folders[name] ?? nestedFolders[`${names[index - 1] ?? ''}/${name}`];
    if (reason) return { reason };
  }
  const last = names.at(-1) ?? '';
  const ending = Object.keys(endings).find((end) => last.endsWith(end));
  const reason = files[last] ?? (ending === undefined ? undefined : endings[ending]);
  return reason ? { reason } : undefined;
}

/** Windows drops trailing dots and spaces, and `::$DATA` and other streams refer to the same file. */
function plainName(name: string): string {
  const lower = name.normalize('NFC').toLowerCase();
  const withoutStream = /^[a-z]:$/.test(lower) ? lower : lower.replace(/:.*$/s, '');
  return withoutStream.replace(/[. ]+$/, '') || lower;
}

function forward(path: string): string {
  return path.replaceAll('\\', '/');
}

function withoutRoot(path: string, root: string): string {
  const folder = root.replace(/\/+$/, '');
  if (folder === '') return path;
  const isInside =
    path.toLowerCase() === folder.toLowerCase() || path.toLowerCase().startsWith(`${folder.toLowerCase()}/`);
  return isInside ? path.slice(folder.length) : path;
}

import { serverVariable } from '../agents/configuredServers';

/** Variables of the user that every sandboxed program gets: what describes the machine, the terminal, and its tools. */
const common = new Set(
  [
    'PATH HOME USER LOGNAME SHELL PWD OLDPWD SHLVL HOSTNAME TMPDIR TMP TEMP LANG LANGUAGE TZ CI',
    'TERM TERMINFO TERMINFO_DIRS TERM_PROGRAM TERM_PROGRAM_VERSION COLORTERM COLORFGBG COLUMNS LINES NO_COLOR FORCE_COLOR CLICOLOR',
    'EDITOR VISUAL PAGER MANPATH INFOPATH',
    'HTTP_PROXY HTTPS_PROXY ALL_PROXY FTP_PROXY NO_PROXY NODE_USE_ENV_PROXY',
    'SSL_CERT_FILE SSL_CERT_DIR NIX_SSL_CERT_FILE NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE',
    'JAVA_HOME JDK_HOME MAVEN_HOME M2_HOME GRADLE_HOME GRADLE_USER_HOME SDKMAN_DIR SDKMAN_CANDIDATES_DIR KOTLIN_HOME SCALA_HOME',
    'GOPATH GOROOT GOBIN GOCACHE GOMODCACHE GOENV GOFLAGS GOTOOLCHAIN CARGO_HOME RUSTUP_HOME RUSTUP_TOOLCHAIN RUSTC_WRAPPER',
    'NVM_DIR NVM_BIN NVM_INC FNM_DIR FNM_MULTISHELL_PATH VOLTA_HOME PNPM_HOME COREPACK_HOME BUN_INSTALL DENO_DIR DENO_INSTALL',
    'DENO_INSTALL_ROOT NODE_ENV NODE_PATH NPM_CONFIG_PREFIX NPM_CONFIG_CACHE PLAYWRIGHT_BROWSERS_PATH ASDF_DIR ASDF_DATA_DIR',
    'MISE_DATA_DIR MISE_CONFIG_DIR MISE_SHELL PYENV_ROOT PYENV_VERSION PYENV_SHELL VIRTUAL_ENV PYTHONPATH PYTHONHOME PYTHONUNBUFFERED',
    'PYTHONIOENCODING CONDA_PREFIX CONDA_DEFAULT_ENV CONDA_EXE CONDA_PYTHON_EXE CONDA_SHLVL MAMBA_ROOT_PREFIX POETRY_HOME UV_CACHE_DIR',
    'PIPX_HOME RBENV_ROOT RBENV_VERSION GEM_HOME GEM_PATH RUBY_ROOT RUBY_VERSION PERL5LIB PERL_LOCAL_LIB_ROOT OPAMROOT',
    'OPAM_SWITCH_PREFIX JULIA_DEPOT_PATH DOTNET_ROOT DOTNET_CLI_HOME DOTNET_CLI_TELEMETRY_OPTOUT ANDROID_HOME ANDROID_SDK_ROOT',
    'ANDROID_NDK_HOME FLUTTER_ROOT HOMEBREW_PREFIX HOMEBREW_CELLAR HOMEBREW_REPOSITORY NIX_PATH NIX_PROFILES CUDA_HOME CUDA_PATH',
    'LD_LIBRARY_PATH LIBRARY_PATH CPATH PKG_CONFIG_PATH CC CXX CFLAGS CXXFLAGS CPPFLAGS LDFLAGS MAKEFLAGS CMAKE_PREFIX_PATH',
    'GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL',
    'SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT OS APPDATA LOCALAPPDATA PROGRAMDATA ALLUSERSPROFILE PUBLIC USERPROFILE USERNAME',
    'HOMEDRIVE HOMEPATH COMPUTERNAME NUMBER_OF_PROCESSORS PSMODULEPATH PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432',
    'COMMONPROGRAMFILES COMMONPROGRAMFILES(X86) COMMONPROGRAMW6432',
  ].flatMap((line) => line.split(' ')),
);
const commonKinds =
  /^(?:LC_[A-Z]+|XDG_(?:(?:CONFIG|DATA|STATE|CACHE)_HOME|(?:CONFIG|DATA)_DIRS|RUNTIME_DIR)|PROCESSOR_[A-Z]+)$/;

/** Keys of the models that an agent for any of them looks for. */
const anyModel =
  /^(?:ANTHROPIC|OPENAI|GEMINI|GOOGLE_GENERATIVE_AI|OPENROUTER|MISTRAL|GROQ|XAI|DEEPSEEK|TOGETHER|FIREWORKS|CEREBRAS|COHERE|PERPLEXITY|DASHSCOPE|MOONSHOT|ZAI|OLLAMA)_(?:API_KEY|BASE_URL|API_BASE|HOST|MODEL)$/;

/** The variables that known agents read themselves, with the keys of their models. */
const ofAgents: Readonly<Record<string, readonly RegExp[]>> = {
  claude: [
    /^(?:ANTHROPIC|CLAUDE)_/,
    /^(?:DISABLE_(?:TELEMETRY|AUTOUPDATER|ERROR_REPORTING)|ENABLE_TOOL_SEARCH|MAX_THINKING_TOKENS|API_TIMEOUT_MS)$/,
  ],
  codex: [/^(?:OPENAI|CODEX)_/, /^NO_BROWSER$/],
  gemini: [/^GEMINI_/, /^GOOGLE_(?:API_KEY|GEMINI_\w+|GENAI_\w+|CLOUD_PROJECT|CLOUD_LOCATION)$/],
  qwen: [/^(?:QWEN|OPENAI|DASHSCOPE)_/],
  opencode: [/^OPENCODE_/, anyModel],
  kilo: [/^KILO(?:CODE)?_/, anyModel],
  copilot: [/^COPILOT_/],
  cline: [/^CLINE_/, anyModel],
  goose: [/^GOOSE_/, anyModel],
  nanocoder: [/^NANOCODER_/, anyModel],
  kimi: [/^(?:KIMI|MOONSHOT)_/],
  cursor: [/^CURSOR_/],
  auggie: [/^AUGMENT_/],
  droid: [/^FACTORY_/],
  vibe: [/^(?:VIBE|MISTRAL)_/],
  pi: [/^PI_/, anyModel],
};

/** What decides which variables of the user get into a sandbox. */
export interface EnvironmentRules {
  /** The environment of the user's programs. What has another value was set for the program, and isn't the user's. */
  readonly userEnv: Readonly<Record<string, string>>;
  /** Names that the user passes: in a setting, or with the agent. */
  readonly names: readonly string[];
  /** The known agent that runs inside. */
  readonly agent?: string | undefined;
}

/** Returns an environment without the user's variables that nobody passes: keys and tokens of other programs are among them. */
export function passedEnvironment(
  env: Readonly<Record<string, string>>,
  rules: EnvironmentRules,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => isPassed(name, value, rules)));
}

/** Returns the names of the user's variables that don't get into a sandbox, in order. */
export function leftOutOf(rules: EnvironmentRules): readonly string[] {
  const all = Object.entries(rules.userEnv);
  return all.flatMap(([name, value]) => (isPassed(name, value, rules) ? [] : name)).sort();
}

function isPassed(name: string, value: string, { userEnv, names, agent }: EnvironmentRules): boolean {
  if (userEnv[name] !== value || names.includes(name)) return true;
  const upper = name.toUpperCase();
  if (common.has(upper) || commonKinds.test(upper)) return true;
  // A server without a password in its address.
  if (serverVariable.test(name) && !/\/\/[^/]*@/.test(value)) return true;
  return agent !== undefined && (ofAgents[agent] ?? []).some((pattern) => pattern.test(name));
}

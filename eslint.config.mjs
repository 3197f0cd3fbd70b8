import tseslint from 'typescript-eslint';
import { noCycle } from './test/runner/importCycles.mjs';

/** Forbids imports in files that match `files`. Each pattern has a reason for contributors. */
function forbid(files, patterns, extra = {}) {
  return { files, rules: { 'no-restricted-imports': ['error', { patterns, ...extra }] } };
}

const noVscode = { group: ['vscode'], message: 'Only src/host and src/extension.ts talk to VS Code.' };
const noNode = {
  regex: '^(node:|fs$|path$|os$|child_process$|stream$)',
  message: 'Pure code has no Node modules; pass what it needs in.',
};
const noSdk = {
  group: ['@agentclientprotocol/sdk*'],
  message: 'Protocol types come from schema.ts in src/acp and src/acp/v2, the only files that name the SDK.',
};
const noVersion = {
  regex: '(^|/)v\\d+/',
  message:
    'Only src/acp/dialects.ts knows the versions of the protocol; everything else asks the Dialect (docs/adr/0017).',
};
const noWireTypes = {
  regex: '/acp/schema$',
  message: 'The types of messages are those of version 1; src/acp has types that no version has on the wire.',
};
const noPty = { group: ['node-pty'], message: 'Only src/terminal/ptyProcess.ts loads node-pty.' };
const folders = [
  'shared',
  'rules',
  'acp',
  'nes',
  'session',
  'agent',
  'usage',
  'review',
  'git',
  'baseline',
  'worktree',
  'disk',
  'process',
  'terminal',
  'sandbox',
  'host',
  'tour',
];
/** Allows only these folders of `src`, and the page, to be imported. */
const only = (allowed, message) => {
  const others = [...folders.filter((name) => !allowed.includes(name)), 'webview'];
  return { regex: `^(\\.\\./)+(${others.join('|')})(/|$)`, message };
};

const noRawText = [
  {
    selector: 'MemberExpression[property.name=/^(show(Information|Warning|Error)Message|withProgress)$/]',
    message: 'VS Code turns text into links there; src/host/ui/notifications.ts shows it as it is.',
  },
  {
    selector: 'MemberExpression[property.name=/^((show|create)QuickPick|(show|create)InputBox)$/]',
    message: 'VS Code turns text into icons and links there; src/host/ui/quickInput.ts shows it as it is.',
  },
  {
    selector:
      'MemberExpression[property.name=/^(setStatusBarMessage|create(StatusBarItem|Terminal)|CodeLens|NotebookCellStatusBarItem)$/]',
    message: 'VS Code turns text into icons there; src/host/ui/labels.ts shows it as it is.',
  },
  {
    selector: 'NewExpression[callee.property.name="MarkdownString"]',
    message: 'Texts from outside are no Markdown; src/host/ui/plainMarkdown.ts shows them as they are.',
  },
];
const noOwnSettings = {
  selector: "CallExpression[callee.property.name='getConfiguration']:not([arguments.0.value=/^(?!parley)./])",
  message: 'A workspace must not decide by itself; src/host/settings/settings.ts reads what counts.',
};

const oneWriter = "src/host/workspaceFiles writes and removes the user's files: whole, never through a link.";
const noOwnWrites = [
  {
    selector:
      "CallExpression[callee.object.property.name='fs'][callee.property.name=/^(writeFile|delete|rename|copy|createDirectory)$/]",
    message: oneWriter,
  },
  { selector: "CallExpression[callee.property.name='applyEdit']", message: oneWriter },
  {
    selector:
      'ImportDeclaration[source.value=/^node:fs/] ImportSpecifier[imported.name=/^(appendFile|chmod|chown|copyFile|cp|createWriteStream|lchown|link|lutimes|mkdir|open|rename|rm|rmdir|symlink|truncate|unlink|utimes|writeFile)(Sync)?$/]',
    message: oneWriter,
  },
  { selector: 'ImportDeclaration[source.value=/^node:fs/] ImportNamespaceSpecifier', message: oneWriter },
];
const noCallByString = {
  selector:
    "CallExpression[callee.property.name='executeCommand']:matches([arguments.0.value=/^parley[.]/], [arguments.0.quasis.0.value.raw=/^parley[.]/])",
  message: 'Features call each other by the actions of src/host/base/actions.ts, whose arguments have types.',
};
const owner =
  'A window, a session, or a store owns what changes, and ends with it. Keep it in an object of theirs, or in a WeakMap.';
const noStateOfModules = [
  {
    selector:
      ':matches(Program, ExportNamedDeclaration) > VariableDeclaration > VariableDeclarator > NewExpression[callee.name=/^(Map|Set)$/][arguments.length=0]',
    message: owner,
  },
  { selector: ":matches(Program, ExportNamedDeclaration) > VariableDeclaration[kind='let']", message: owner },
];
/** VS Code calls two functions of the first, and hands nothing from one to the other. What the second loads is as constant as an import. */
const withState = ['src/extension.ts', 'src/host/base/lateRe2.ts'];
const everyHostFile = [noCallByString, ...noStateOfModules];
/** These modules write Parley's own files, to a place the user chose in a dialog, or data saved for an undo. */
const ownWriters = [
  'workspaceFiles/*.ts',
  'storage/*.ts',
  'registry/*.ts',
  'log/protocolLog.ts',
  'setup/supportBundle.ts',
  'sessions/start/scratchFolder.ts',
  'context/saveContent.ts',
];

const common = [noSdk, noPty, noVersion, noWireTypes];
const tests = ['src/**/*.test.ts'];

/**
 * The folders in `webview` and in rooms of `src`, and the other folders or files there that each may import
 * (docs/architecture.md). No two folders import each other.
 */
const pageFolders = {
  base: [],
  state: [],
  code: ['base'],
  math: [],
  styles: [],
  controls: ['base'],
  header: ['base'],
  sessions: ['base'],
  start: ['base', 'sessions'],
  keys: ['base'],
  find: ['base'],
  providers: ['base'],
  ruleForm: ['base'],
  rules: ['base', 'ruleForm'],
  usage: ['base'],
  skills: ['base'],
  parley: ['base', 'rules', 'usage', 'skills'],
  terminal: ['base'],
  diffView: ['base', 'code'],
  review: ['base', 'code', 'diffView'],
  tries: ['base', 'code', 'review'],
  diagram: ['code', 'math'],
  markdown: ['base', 'code', 'math', 'diagram'],
  elicitation: ['base', 'state'],
  tray: ['base', 'controls'],
  composer: ['base', 'state', 'controls'],
  viewer: ['base'],
  entries: ['base', 'state', 'code', 'controls', 'ruleForm', 'terminal', 'diffView', 'markdown', 'elicitation'],
  feed: ['base', 'state', 'code', 'terminal', 'markdown', 'entries'],
};
const sharedFolders = {
  values: [],
  text: ['values'],
  diff: [],
  amounts: ['values', 'text'],
  limits: ['values'],
  forms: ['values', 'text'],
  transcript: ['values', 'amounts', 'limits', 'forms'],
  permissions: ['values', 'text', 'transcript'],
  changes: ['values', 'amounts', 'limits'],
  pages: ['values', 'text', 'diff', 'amounts', 'limits', 'forms', 'transcript', 'permissions', 'changes'],
};
const reviewFolders = {
  lines: [],
  files: ['lines'],
  hunks: ['lines', 'files'],
  log: ['lines', 'files', 'hunks'],
  shown: ['files', 'hunks', 'log'],
  comments: ['lines', 'files', 'hunks', 'log'],
  checkpoints: ['files', 'log'],
};
const worktreeFolders = {
  repository: [],
  made: ['repository'],
  bring: ['repository', 'made'],
  copy: ['repository', 'made'],
  end: ['repository', 'made', 'copy'],
};
const sandboxFolders = {
  caches: [],
  windows: ['missingNeed'],
  agents: [],
  inside: ['agents'],
  temporary: ['inside'],
  places: ['caches', 'agents', 'temporary'],
  keeper: ['caches', 'windows', 'inside', 'temporary', 'places'],
};
const ruleFolders = {
  line: ['requestedAction'],
  danger: ['line'],
  request: ['requestedAction', 'line', 'danger'],
  judge: ['line', 'request'],
};
const acpFolders = {
  base: [],
  shape: [],
  decode: ['schema', 'base', 'shape'],
  wire: ['schema', 'base', 'decode'],
  dialect: ['schema', 'base', 'shape', 'decode', 'wire'],
  v1: ['schema', 'base', 'shape', 'decode', 'wire', 'dialect'],
  v2: ['base', 'shape', 'decode', 'wire', 'dialect'],
};
const agentFolders = {
  base: [],
  spec: ['base'],
  remote: ['spec'],
  process: ['remote'],
  launch: ['base', 'spec', 'remote', 'process'],
  mcp: ['base', 'process', 'launch'],
  handshake: ['spec', 'process'],
  routes: ['base', 'handshake'],
  vendor: ['routes'],
  connection: ['base', 'spec', 'remote', 'process', 'mcp', 'handshake', 'routes', 'vendor'],
  providers: ['connection'],
  pool: ['base', 'spec', 'remote', 'process', 'handshake', 'connection'],
  login: ['base', 'spec', 'remote', 'process', 'launch', 'connection', 'pool'],
  registry: ['base', 'spec'],
  found: ['base', 'registry'],
  setup: ['base', 'spec', 'process', 'handshake', 'launch', 'vendor', 'pool'],
};
const sessionFolders = {
  update: [],
  transcript: ['failures', 'services', 'update'],
  document: [],
  find: ['document'],
  questions: ['services', 'update', 'transcript'],
  turn: ['failures', 'update', 'transcript', 'questions'],
};
const hostFolders = {
  base: [],
  ui: [],
  consent: [],
  log: ['base', 'ui'],
  storage: ['ui'],
  terminals: ['ui'],
  workspaceFiles: ['base'],
  fileChanges: ['base', 'storage', 'workspaceFiles'],
  settings: ['base', 'ui', 'consent'],
  files: ['base', 'workspaceFiles', 'fileChanges', 'settings'],
  mcp: ['base', 'ui', 'consent', 'settings'],
  editor: [],
  branches: [],
  ide: ['base', 'editor', 'workspaceFiles', 'fileChanges', 'settings', 'files'],
  permissions: ['base', 'log', 'settings'],
  registry: ['base', 'ui', 'log', 'storage'],
  agents: ['base', 'ui', 'log', 'settings', 'registry'],
  sessions: ['base', 'log', 'storage', 'files', 'settings', 'mcp', 'ide', 'agents'],
  pages: ['base', 'ui', 'agents'],
  transcript: ['base', 'ui', 'log', 'pages'],
  attention: ['base', 'ui', 'settings', 'pages'],
  awake: ['log', 'pages'],
  follow: ['base', 'ui', 'workspaceFiles', 'files', 'pages'],
  providers: ['base', 'ui', 'settings', 'ide', 'agents', 'pages'],
  rulesPage: ['base', 'ui', 'log', 'permissions', 'agents', 'pages'],
  sandbox: ['base', 'ui', 'log', 'settings', 'pages'],
  usage: ['base', 'ui', 'log', 'storage', 'settings', 'sessions', 'pages'],
  vendor: ['base', 'ui', 'log', 'agents', 'sessions', 'pages'],
  context: ['base', 'ui', 'editor', 'workspaceFiles', 'pages'],
  prompts: ['base', 'ui', 'consent', 'log', 'workspaceFiles', 'pages'],
  skillsPage: ['base', 'ui', 'log', 'workspaceFiles', 'pages', 'prompts'],
  codeActions: ['base', 'ui', 'editor', 'pages', 'context'],
  nextEdits: ['base', 'ui', 'log', 'settings', 'workspaceFiles', 'context'],
  git: ['base', 'ui', 'storage', 'workspaceFiles'],
  review: ['base', 'ui', 'log', 'storage', 'workspaceFiles', 'fileChanges', 'files', 'pages'],
  commit: ['base', 'ui', 'log', 'pages', 'review', 'git'],
  continueWith: ['base', 'ui', 'log', 'agents', 'sessions', 'pages'],
  agentReview: ['base', 'ui', 'log', 'workspaceFiles', 'agents', 'sessions', 'pages', 'review'],
  turnProblems: ['base', 'ui', 'log', 'editor', 'files', 'pages', 'review'],
  afterTurn: ['base', 'ui', 'log', 'context', 'turnProblems'],
  codeBlocks: ['base', 'ui', 'log', 'workspaceFiles', 'files', 'pages', 'review'],
  proposals: ['base', 'ui', 'log', 'storage', 'workspaceFiles', 'files', 'pages', 'review', 'codeBlocks'],
  checkpoints: [
    'base',
    'ui',
    'storage',
    'workspaceFiles',
    'fileChanges',
    'agents',
    'sessions',
    'pages',
    'transcript',
    'review',
  ],
  chat: ['base', 'ui', 'log', 'settings', 'terminals', 'agents', 'sessions', 'pages'],
  newSession: ['base', 'ui', 'agents', 'sessions', 'pages'],
  worktrees: ['base', 'ui', 'log', 'settings', 'agents', 'sessions', 'pages', 'newSession'],
  merging: [
    'base',
    'ui',
    'log',
    'workspaceFiles',
    'fileChanges',
    'agents',
    'sessions',
    'pages',
    'review',
    'git',
    'commit',
    'continueWith',
    'checkpoints',
    'worktrees',
  ],
  tries: [
    'base',
    'ui',
    'log',
    'settings',
    'storage',
    'workspaceFiles',
    'agents',
    'sessions',
    'pages',
    'review',
    'newSession',
    'afterTurn',
    'worktrees',
    'merging',
  ],
  startRow: ['base', 'ui', 'log', 'settings', 'agents', 'sessions', 'pages', 'newSession', 'worktrees', 'tries'],
  presets: ['base', 'ui', 'log', 'settings', 'agents', 'pages'],
  parleyPage: ['base', 'ui', 'log', 'agents', 'pages', 'presets'],
  login: ['base', 'ui', 'log', 'settings', 'registry', 'agents', 'sessions', 'pages'],
  sessionList: ['base', 'ui', 'agents', 'sessions', 'pages', 'login'],
  links: ['base', 'ui', 'log', 'agents', 'sessions', 'pages', 'sessionList'],
  setup: ['base', 'ui', 'log', 'settings', 'agents', 'pages', 'login'],
};
/** The folders in folders of `src/host` and `webview`, and the others there that each may import. */
const innerFolders = {
  'src/host/context': {
    search: [],
    attachments: ['search'],
    mentions: ['search', 'attachments'],
  },
  'src/host/review': {
    shown: [],
    notebooks: ['shown'],
    stored: [],
    moves: ['stored'],
    recording: ['notebooks', 'stored', 'moves'],
    deciding: ['stored', 'recording'],
    editor: ['shown', 'notebooks', 'recording'],
    comments: ['shown'],
    page: ['shown', 'stored', 'recording', 'deciding', 'editor', 'comments'],
  },
  'src/host/sessions': {
    stored: [],
    start: [],
    branch: [],
    end: [],
  },
  'webview/entries': {
    view: [],
    words: [],
    request: ['view', 'words'],
    toolCall: ['view', 'words', 'request'],
    message: ['view'],
    card: ['view'],
  },
  'webview/feed': {
    rows: [],
    scroll: ['rows'],
    drawn: ['rows', 'scroll'],
    navigation: ['rows', 'scroll'],
    news: [],
  },
};
/** Allows only these of a folder's siblings to be imported. `inside` is the path from a file to its folder. */
const onlyBelow = (path, allowed, inside = '') => ({
  regex: `^${inside}\\.\\./(?!\\.\\./)${allowed.length > 0 ? `(?!(${allowed.join('|')})(/|$))` : ''}`,
  message: `From its neighbors, ${path} imports ${allowed.length > 0 ? `only ${allowed.join(', ')}` : 'nothing'} (docs/architecture.md).`,
});
/** The same rule for dynamic imports, which `no-restricted-imports` ignores. */
const onlyLoadBelow = (path, allowed, inside = '') => {
  const { regex, message } = onlyBelow(path, allowed, inside);
  return { selector: `ImportExpression[source.value=/${regex.replaceAll('/', '\\x2F')}/]`, message };
};
/** The rules of a room's folders. `patterns` and `syntax` are those of the whole room. */
const floors = (room, table, patterns, syntax = []) =>
  Object.entries(table).flatMap(([folder, allowed]) => {
    const path = `${room}/${folder}`;
    const files = [`${path}/**/*.ts`];
    return [
      { ...forbid(files, [...patterns, onlyBelow(path, allowed)]), ignores: [...tests, ...pageTests] },
      {
        files,
        ignores: [...tests, ...pageTests],
        rules: { 'no-restricted-syntax': ['error', ...syntax, onlyLoadBelow(path, allowed)] },
      },
    ];
  });
/** The same for the folders in a folder, which keep its rules as well. */
const innerFloors = (folder, allowed, patterns, syntax = []) =>
  floors(
    folder,
    innerFolders[folder] ?? {},
    [...patterns, onlyBelow(folder, allowed, '\\.\\./')],
    [...syntax, onlyLoadBelow(folder, allowed, '\\.\\./')],
  );
const without = (patterns, dropped) => patterns.filter((pattern) => pattern !== dropped);
const pureSyntax = [
  { selector: "MemberExpression[object.name='Date'][property.name='now']", message: 'Pass the time in.' },
  { selector: "MemberExpression[object.name='Math'][property.name='random']", message: 'Pass randomness in.' },
  {
    selector: 'CallExpression[callee.name=/^set(Timeout|Interval|Immediate)$/]',
    message: 'No timers in pure code.',
  },
];
const sharedImports = [...common, noVscode, noNode, only(['shared'], 'src/shared knows nothing of the rest.')];
const reviewImports = [...common, noVscode, noNode, only(['shared', 'review'], 'src/review sits on src/shared.')];
const worktreeImports = [
  ...common,
  noVscode,
  only(
    ['shared', 'disk', 'process', 'git', 'baseline', 'worktree'],
    'src/worktree sits on src/baseline, src/git, src/process, src/disk, and src/shared.',
  ),
];
const sandboxImports = [
  ...common,
  noVscode,
  only(['shared', 'process', 'sandbox'], 'src/sandbox sits on src/process and src/shared.'),
];
const ruleImports = [...common, noVscode, noNode, only(['shared', 'rules'], 'src/rules sits on src/shared alone.')];
const acpImports = [
  ...common,
  noVscode,
  noNode,
  {
    regex: '^(\\.\\./)+rules/(?!requestedAction$)',
    message: 'src/acp judges nothing; it reads what a request would do.',
  },
  only(['shared', 'rules', 'acp'], 'src/acp sits on src/rules and src/shared.'),
];
const agentImports = [
  ...common,
  noVscode,
  only(
    ['shared', 'acp', 'session', 'disk', 'process', 'agent'],
    'src/agent sits on src/acp, src/session, src/disk, src/process and src/shared.',
  ),
];
const sessionImports = [
  ...common,
  noVscode,
  noNode,
  only(['shared', 'rules', 'acp', 'session'], 'src/session sits on src/acp, src/rules, and src/shared.'),
];
const hostImports = [
  ...common,
  only(
    folders.filter((name) => name !== 'tour'),
    'The tour agent is a program of its own, and the page runs elsewhere.',
  ),
  {
    regex:
      '/acp/(wire/(ndjson|lineCutter|incoming|inbox|connection|transport)|dialect/|dialects$|decode/decodeUpdate)|/session/update/reduce',
    message: 'How messages are framed and planned is src/acp and src/session.',
  },
];
/** What changes the user's files. Everything else makes a plan for the door. */
const noOwnChanges = {
  regex: '/workspaceFiles/workspaceFile$',
  importNames: [
    'allowWriting',
    'makeFolder',
    'putBytes',
    'putBytesOver',
    'putLink',
    'setPermissions',
    'takeAway',
    'takeWholeFolder',
  ],
  message: "src/host/fileChanges is the one door to the user's files: make a plan for it (docs/adr/0051).",
};
/** Syntax that only one place of src/host may use: the `ui` folder shows texts. */
const hostSyntax = (folder) =>
  folder === 'ui' ? everyHostFile : [...noRawText, noOwnSettings, ...everyHostFile, ...noOwnWrites];
const pageImports = [
  ...common,
  noVscode,
  noNode,
  {
    regex: '^(\\.\\./)+src/(?!shared/|rules/requestedAction$)',
    message: 'The page knows src/shared and what requests do, and nothing else of src.',
  },
];
const noToolkit = {
  group: ['@vscode/webview-ui-toolkit*'],
  message: 'Only webview/controls/controls.ts names the toolkit (docs/adr).',
};
const noXterm = { group: ['@xterm/*'], message: 'Only webview/terminal/terminalScreen.ts loads xterm.' };
const pageTests = ['webview/**/*.test.ts'];

const mostWords = 12;
/** Reports names of tests that are too long. Whatever a template inserts counts as one word. */
const testName = {
  create: (context) => ({
    CallExpression({ callee, arguments: given }) {
      const made = callee.type === 'MemberExpression' ? callee.object : callee;
      // The name of a conformance test follows the number of its row.
      const name = { it: given[0], test: given[0], scene: given[0], row: given[1] }[made.name];
      const text = name?.type === 'TemplateLiteral' ? name.quasis.map(({ value }) => value.raw).join('x') : name?.value;
      if (typeof text !== 'string') return;
      const count = text.split(/\s+/).length;
      if (count <= mostWords) return;
      const message = `A test name has at most ${mostWords} words, not ${count}. The rest belongs in the test.`;
      context.report({ node: name, message });
    },
  }),
};

export default tseslint.config(
  // ESLint has the rules that are Parley's own, and parses without types; oxlint has all others (docs/adr/0042).
  { ignores: ['dist/', 'out/', '.vscode-test/', 'node_modules/', '**/*.{js,mjs,cjs}'] },
  { files: ['**/*.ts'], languageOptions: { parser: tseslint.parser } },
  {
    ...forbid(['src/shared/**/*.ts'], sharedImports),
    ignores: tests,
  },
  {
    files: ['src/**/*.ts', 'webview/**/*.ts'],
    plugins: { imports: { rules: { 'no-cycle': noCycle } } },
    rules: { 'imports/no-cycle': 'error' },
  },
  { ...forbid(['src/rules/*.ts'], ruleImports), ignores: tests },
  { ...forbid(['src/acp/*.ts'], acpImports), ignores: tests },
  ...floors('src/acp', acpFolders, acpImports),
  forbid(
    ['src/acp/schema.ts'],
    [...without(acpImports, noSdk), { regex: '^\\./', message: 'Folders of src/acp may import this file.' }],
  ),
  forbid(['src/acp/v2/schema.ts'], without(without(acpImports, noSdk), noVersion)),
  forbid(['src/acp/dialects.ts'], without(acpImports, noVersion)),
  forbid(['src/acp/wire/ndjson.ts'], [...without(acpImports, noNode), onlyBelow('src/acp/wire', acpFolders.wire)]),
  {
    ...forbid(
      ['src/nes/**/*.ts'],
      [...common, noVscode, noNode, only(['shared', 'acp', 'nes'], 'src/nes sits on src/acp and src/shared.')],
    ),
    ignores: tests,
  },
  { ...forbid(['src/session/**/*.ts'], sessionImports), ignores: tests },
  forbid(
    ['src/session/{failures,services}.ts'],
    [...sessionImports, { regex: '^\\./', message: 'Every folder of src/session may import this file.' }],
  ),
  {
    ...forbid(
      ['src/usage/**/*.ts'],
      [...common, noVscode, noNode, only(['shared', 'usage'], 'src/usage sits on src/shared.')],
    ),
    ignores: tests,
  },
  {
    ...forbid(['src/review/**/*.ts'], reviewImports),
    ignores: tests,
  },
  {
    ...forbid(
      ['src/git/**/*.ts'],
      [
        ...common,
        noVscode,
        only(['shared', 'disk', 'process', 'git'], 'src/git sits on src/process, src/disk, and src/shared.'),
      ],
    ),
    ignores: tests,
  },
  {
    ...forbid(
      ['src/baseline/**/*.ts'],
      [
        ...common,
        noVscode,
        only(['shared', 'disk', 'git', 'baseline'], 'src/baseline sits on src/git, src/disk, and src/shared.'),
      ],
    ),
    ignores: tests,
  },
  {
    ...forbid(['src/worktree/**/*.ts'], worktreeImports),
    ignores: tests,
  },
  {
    ...forbid(['src/sandbox/**/*.ts'], sandboxImports),
    ignores: tests,
  },
  {
    ...forbid(
      ['src/tries/**/*.ts'],
      [
        ...common,
        noVscode,
        only(
          ['shared', 'review', 'usage', 'worktree', 'tries'],
          'src/tries sits on src/worktree, src/review, src/usage, and src/shared.',
        ),
      ],
    ),
    ignores: tests,
  },
  {
    files: ['session', 'rules', 'review', 'shared', 'nes', 'usage'].map((room) => `src/${room}/**/*.ts`),
    ignores: tests,
    rules: { 'no-restricted-syntax': ['error', ...pureSyntax] },
  },
  ...floors('src/shared', sharedFolders, sharedImports, pureSyntax),
  ...floors('src/review', reviewFolders, reviewImports, pureSyntax),
  ...floors('src/worktree', worktreeFolders, worktreeImports),
  ...floors('src/sandbox', sandboxFolders, sandboxImports),
  ...floors('src/rules', ruleFolders, ruleImports, pureSyntax),
  ...floors('src/session', sessionFolders, sessionImports, pureSyntax),
  {
    ...forbid(['src/disk/**/*.ts'], [...common, noVscode, only(['disk'], 'src/disk sits on Node alone.')]),
    ignores: tests,
  },
  {
    ...forbid(
      ['src/process/**/*.ts'],
      [...common, noVscode, only(['shared', 'disk', 'process'], 'src/process sits on src/disk and src/shared.')],
    ),
    ignores: tests,
  },
  {
    ...forbid(
      ['src/terminal/**/*.ts'],
      [noSdk, noVscode, only(['shared', 'process', 'terminal'], 'src/terminal sits on src/process and src/shared.')],
    ),
    ignores: tests,
  },
  ...floors('src/agent', agentFolders, agentImports),
  { ...forbid(['src/host/*.ts', 'src/extension.ts'], hostImports), ignores: tests },
  {
    files: ['src/host/*.ts', 'src/extension.ts'],
    ignores: tests,
    rules: { 'no-restricted-syntax': ['error', ...noRawText, noOwnSettings, ...everyHostFile, ...noOwnWrites] },
  },
  // Files of a folder and of its subfolders.
  ...['', '\\.\\./'].flatMap((inside) =>
    Object.entries(hostFolders).flatMap(([folder, allowed]) => {
      const path = `src/host/${folder}`;
      const files = [inside === '' ? `${path}/*.ts` : `${path}/*/**/*.ts`];
      return [
        {
          ...forbid(files, [
            ...hostImports,
            ...(folder === 'fileChanges' ? [] : [noOwnChanges]),
            onlyBelow(path, allowed, inside),
          ]),
          ignores: tests,
        },
        {
          files,
          ignores: tests,
          rules: { 'no-restricted-syntax': ['error', ...hostSyntax(folder), onlyLoadBelow(path, allowed, inside)] },
        },
      ];
    }),
  ),
  ...Object.entries(hostFolders).flatMap(([folder, allowed]) =>
    innerFloors(`src/host/${folder}`, allowed, hostImports, hostSyntax(folder)),
  ),
  ...ownWriters.map((name) => {
    const [folder, ...inside] = name.split('/');
    const path = `src/host/${folder}`;
    const up = '\\.\\./'.repeat(inside.length - 1);
    const loads = [onlyLoadBelow(path, hostFolders[folder], up)];
    if (up !== '') loads.push(onlyLoadBelow(`${path}/${inside[0]}`, innerFolders[path][inside[0]]));
    return {
      files: [`src/host/${name}`],
      ignores: tests,
      rules: { 'no-restricted-syntax': ['error', ...noRawText, noOwnSettings, ...everyHostFile, ...loads] },
    };
  }),
  {
    files: ['src/host/settings/settings.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...noRawText,
        ...everyHostFile,
        ...noOwnWrites,
        onlyLoadBelow('src/host/settings', hostFolders.settings),
      ],
    },
  },
  {
    files: withState,
    rules: { 'no-restricted-syntax': ['error', ...noRawText, noOwnSettings, noCallByString, ...noOwnWrites] },
  },
  {
    ...forbid(
      ['src/tour/**/*.ts'],
      [noPty, noVscode, only(['tour'], 'The tour agent is a program of its own and knows nothing else of src.')],
    ),
    ignores: tests,
  },
  { ...forbid(['webview/**/*.ts'], [...pageImports, noToolkit, noXterm]), ignores: pageTests },
  ...Object.entries(pageFolders).flatMap(([folder, allowed]) => {
    const path = `webview/${folder}`;
    const files = [`${path}/**/*.ts`];
    return [
      { ...forbid(files, [...pageImports, noToolkit, noXterm, onlyBelow(path, allowed)]), ignores: pageTests },
      { files, rules: { 'no-restricted-syntax': ['error', onlyLoadBelow(path, allowed)] } },
    ];
  }),
  ...Object.entries(pageFolders).flatMap(([folder, allowed]) =>
    innerFloors(`webview/${folder}`, allowed, [...pageImports, noToolkit, noXterm]),
  ),
  forbid(
    ['webview/controls/controls.ts'],
    [...pageImports, noXterm, onlyBelow('webview/controls', pageFolders.controls)],
  ),
  forbid(
    ['webview/terminal/terminalScreen.ts'],
    [...pageImports, noToolkit, onlyBelow('webview/terminal', pageFolders.terminal)],
  ),
  {
    // The unit tests beside the page's files bring in Node's types, but the page has none of Node's globals.
    files: ['webview/**/*.ts'],
    ignores: pageTests,
    rules: {
      'no-restricted-globals': ['error', 'process', 'Buffer', 'global', 'require', 'setImmediate', '__dirname'],
    },
  },
  {
    files: ['**/*.test.ts', 'test/**/*.ts'],
    rules: { 'parley/test-name': 'error' },
    plugins: { parley: { rules: { 'test-name': testName } } },
  },
);

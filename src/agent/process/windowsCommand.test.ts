import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { resolveWindowsCommand, type CommandFiles, type WindowsCommand } from './windowsCommand';

const env = {
  Path: 'C:\\Program Files\\nodejs;"C:\\tools & more";relative;C:\\Users\\Jörg Ünal\\AppData\\Roaming\\npm',
  PATHEXT: '.COM;.EXE;.BAT;.CMD;.VBS;.JS',
  ComSpec: 'C:\\WINDOWS\\system32\\cmd.exe',
};
const npmFolder = 'C:\\Users\\Jörg Ünal\\AppData\\Roaming\\npm';

/** A disk with the given files; names ignore case, as on Windows. */
function disk(files: Readonly<Record<string, string>>): CommandFiles {
  const byName = new Map(Object.entries(files).map(([path, text]) => [path.toLowerCase(), text]));
  return { isFile: (path) => byName.has(path.toLowerCase()), readFile: (path) => byName.get(path.toLowerCase()) };
}

function resolve(command: string, args: readonly string[], files: Readonly<Record<string, string>>, cwd?: string) {
  return resolveWindowsCommand(command, args, env, disk(files), cwd);
}

/** A global npm script in npm's format, reduced to the relevant parts. */
function npmShim(target: string, program = 'node', flags = ''): string {
  return [
    '@ECHO off',
    'CALL :find_dp0',
    'IF EXIST "%dp0%\\node.exe" (',
    '  SET "_prog=%dp0%\\node.exe"',
    ') ELSE (',
    `  SET "_prog=${program}"`,
    '  SET PATHEXT=%PATHEXT:;.JS;=;%',
    ')',
    `endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%" ${flags} "%dp0%\\${target}" %*`,
  ].join('\r\n');
}

const npxCmd = [
  '@ECHO OFF',
  'SET "NODE_EXE=%~dp0\\node.exe"',
  'SET "NPM_PREFIX_JS=%~dp0\\node_modules\\npm\\bin\\npm-prefix.js"',
  'SET "NPX_CLI_JS=%~dp0\\node_modules\\npm\\bin\\npx-cli.js"',
  '"%NODE_EXE%" "%NPX_CLI_JS%" %*',
].join('\r\n');

const node = 'C:\\Program Files\\nodejs\\node.exe';

suite('finding a program on Windows', () => {
  test('completes the name by PATHEXT, in its order, along PATH', () => {
    const files = {
      'C:\\tools & more\\agent.exe': '',
      [`${npmFolder}\\agent.com`]: '',
      'C:\\tools & more\\agent.cmd': '',
    };
    assert.deepEqual(resolve('agent', ['a b'], files), { command: 'C:\\tools & more\\agent.exe', args: ['a b'] });
    assert.deepEqual(resolve('AGENT.EXE', [], files), { command: 'C:\\tools & more\\AGENT.EXE', args: [] });
  });

  test('a dot in the name does not make an extension', () => {
    const files = { 'C:\\tools & more\\agent-1.2.exe': '' };
    assert.deepEqual(resolve('agent-1.2', [], files), { command: 'C:\\tools & more\\agent-1.2.exe', args: [] });
  });

  test("also completes a path, relative to the agent's folder", () => {
    const files = { 'D:\\repo\\bin\\agent.exe': '' };
    assert.deepEqual(resolve('D:\\repo\\bin\\agent', [], files), { command: 'D:\\repo\\bin\\agent.exe', args: [] });
    assert.deepEqual(resolve('./bin/agent', [], files, 'D:\\repo'), { command: 'D:\\repo\\bin\\agent.exe', args: [] });
  });

  test('ignores scripts of other hosts, files without extension, and relative PATH folders', () => {
    const files = {
      'C:\\tools & more\\agent.js': '',
      'C:\\tools & more\\agent': '',
      'relative\\agent.exe': '',
      'agent.exe': '',
    };
    assert.equal(resolve('agent', [], files), 'notFound');
    assert.equal(resolve('agent.js', [], files), 'notFound');
  });

  test('environment variable names ignore case, and PATHEXT has a default', () => {
    const files = disk({ 'C:\\x\\agent.cmd': 'echo', 'C:\\x\\tool.exe': '' });
    assert.deepEqual(resolveWindowsCommand('tool', [], { PATH: 'C:\\x' }, files), {
      command: 'C:\\x\\tool.exe',
      args: [],
    });
    const batch = resolveWindowsCommand('agent', [], { PATH: 'C:\\x', systemroot: 'D:\\Win' }, files) as WindowsCommand;
    assert.equal(batch.command, 'D:\\Win\\System32\\cmd.exe');
  });
});

suite('scripts created by npm', () => {
  test('runs npx with Node itself, without a shell', () => {
    const cli = 'C:\\Program Files\\nodejs\\node_modules\\npm\\bin\\npx-cli.js';
    const files = { 'C:\\Program Files\\nodejs\\npx.cmd': npxCmd, [node]: '', [cli]: '' };
    assert.deepEqual(resolve('npx', ['--yes', 'a&b'], files), { command: node, args: [cli, '--yes', 'a&b'] });
  });

  test('turns a global script into Node and its file, with special characters', () => {
    const script = `${npmFolder}\\node_modules\\@acme\\agent\\dist\\index.js`;
    const files = {
      [`${npmFolder}\\agent.cmd`]: npmShim('node_modules\\@acme\\agent\\dist\\index.js'),
      [script]: '',
      [node]: '',
    };
    assert.deepEqual(resolve('agent', ['acp'], files), { command: node, args: [script, 'acp'] });
  });

  test('prefers the Node beside the script and keeps its flags', () => {
    const script = `${npmFolder}\\node_modules\\agent\\cli.js`;
    const own = `${npmFolder}\\node.exe`;
    const shim = npmShim('node_modules\\agent\\cli.js', 'node', '--no-warnings=DEP0040');
    const files = { [`${npmFolder}\\agent.cmd`]: shim, [script]: '', [node]: '', [own]: '' };
    assert.deepEqual(resolve('agent', [], files), { command: own, args: ['--no-warnings=DEP0040', script] });
  });

  test('recognizes the older form and the form for native programs', () => {
    const old =
      '@IF EXIST "%~dp0\\node.exe" (\r\n  "%~dp0\\node.exe"  "%~dp0\\..\\agent\\cli.js" %*\r\n) ELSE (\r\n  node  "%~dp0\\..\\agent\\cli.js" %*\r\n)';
    const native = '@ECHO off\r\nCALL :find_dp0\r\n"%dp0%\\node_modules\\codex\\codex.exe"   %*\r\n';
    const files = {
      'C:\\p\\.bin\\old.cmd': old,
      'C:\\p\\agent\\cli.js': '',
      'C:\\p\\.bin\\native.cmd': native,
      'C:\\p\\.bin\\node_modules\\codex\\codex.exe': '',
      [node]: '',
    };
    assert.deepEqual(resolve('C:\\p\\.bin\\old', ['x'], files), { command: node, args: ['C:\\p\\agent\\cli.js', 'x'] });
    assert.deepEqual(resolve('C:\\p\\.bin\\native', ['x'], files), {
      command: 'C:\\p\\.bin\\node_modules\\codex\\codex.exe',
      args: ['x'],
    });
  });

  test('leaves anything unrecognized as a batch file', () => {
    const script = `${npmFolder}\\node_modules\\agent\\cli.js`;
    const shim = npmShim('node_modules\\agent\\cli.js');
    const path = `${npmFolder}\\agent.cmd`;
    const cases: Record<string, string>[] = [
      { [path]: npmShim('node_modules\\agent\\cli.js', 'python'), [script]: '', [node]: '' },
      { [path]: `@SET "NODE_PATH=C:\\x"\r\n${shim}`, [script]: '', [node]: '' },
      { [path]: shim, [node]: '' },
      { [path]: shim, [script]: '' },
      { [path]: '@echo off\r\nnode "%~dp0\\server.js" --acp', [node]: '' },
    ];
    for (const files of cases) assert.equal((resolve('agent', [], files) as WindowsCommand).command, env.ComSpec);
  });
});

suite('batch files', () => {
  const batch = 'C:\\tools & more\\run 100%.cmd';

  function argumentsSeen(args: readonly string[]): string[] {
    const result = resolve(batch, args, { [batch]: 'node app.js %*' }) as WindowsCommand;
    assert.equal(result.command, env.ComSpec);
    assert.equal(result.windowsVerbatimArguments, true);
    assert.deepEqual(result.args.slice(0, -1), ['/d', '/e:on', '/v:off', '/s', '/c']);
    const line = expandPercent(result.args.at(-1)!.replace(/^"|"$/g, ''), { PATH: 'C:\\secret', a: 'SEEN' });
    assertNothingSpecial(line);
    const [script, ...rest] = splitArguments(line);
    assert.equal(script, batch);
    return rest;
  }

  test('every argument arrives unchanged through both readings of cmd.exe', () => {
    const args = [
      'plain',
      '',
      'two words',
      'a&b|c<d>e^f(g)h;i,j=k',
      '%PATH%',
      '%a%%a%',
      '100%',
      '%',
      'say "hi" & exit',
      '"',
      '""',
      'C:\\folder\\',
      'back\\"slash',
      'C:\\a b\\\\',
      '!PATH!',
      'Jörg 東京',
      '{"json": "a & b"}',
    ];
    assert.deepEqual(argumentsSeen(args), args);
  });

  test('random arguments arrive unchanged', () => {
    const alphabet = ['"', '\\', '%', ' ', '&', '^', 'a', 'PATH', ':', '~', ',', '!', '\t'];
    let seed = 7;
    const next = (limit: number) => (seed = (seed * 48_271) % 2_147_483_647) % limit;
    for (let round = 0; round < 500; round++) {
      const word = () => Array.from({ length: next(8) }, () => alphabet[next(alphabet.length)]).join('');
      const args = Array.from({ length: next(4) }, word);
      assert.deepEqual(argumentsSeen(args), args);
    }
  });

  test('rejects a line break, which cannot be passed', () => {
    for (const text of ['a\nb', 'a\rb', 'a\0b']) assert.equal(resolve(batch, [text], { [batch]: '' }), 'lineBreak');
  });
});

/**
 * Expands variables in a command line like cmd.exe: `%NAME%` if NAME is set (`%NAME:~,%` is empty), otherwise the first
 * `%` stays.
 */
function expandPercent(line: string, variables: Readonly<Record<string, string>>): string {
  let result = '';
  for (let at = 0; at < line.length; at++) {
    const end = line[at] === '%' ? line.indexOf('%', at + 1) : -1;
    const [name = '', modifier] = line.slice(at + 1, Math.max(end, at + 1)).split(':', 2);
    const value = name.toLowerCase() === 'cd' ? 'C:\\' : variables[name];
    if (end < 0 || value === undefined || (modifier !== undefined && modifier !== '~,')) {
      result += line[at]!;
    } else {
      result += modifier === undefined ? value : '';
      at = end;
    }
  }
  return result;
}

/** Outside quotes, these would end the command, redirect it, or disappear. */
function assertNothingSpecial(line: string): void {
  let inQuotes = false;
  for (const char of line) {
    if (char === '"') inQuotes = !inQuotes;
    else assert.ok(inQuotes || !'&|<>^();,='.includes(char), `${char} outside quotes in ${line}`);
  }
  assert.ok(!inQuotes);
}

/** Splits a command line like a program built with Microsoft's C runtime. */
function splitArguments(line: string): string[] {
  const found: string[] = [];
  let at = 0;
  while (at < line.length) {
    if (line[at] === ' ' || line[at] === '\t') {
      at++;
      continue;
    }
    let word = '';
    let inQuotes = false;
    for (; at < line.length && (inQuotes || !/[ \t]/.test(line[at]!)); at++) {
      const slashes = /^\\*/.exec(line.slice(at))![0].length;
      const beforeQuote = line[at + slashes] === '"';
      word += '\\'.repeat(beforeQuote ? Math.floor(slashes / 2) : slashes);
      at += slashes;
      if (!beforeQuote) {
        if (slashes > 0) at--;
        else word += line[at]!;
      } else if (slashes % 2 === 1) word += '"';
      else if (inQuotes && line[at + 1] === '"') {
        word += '"';
        at++;
      } else inQuotes = !inQuotes;
    }
    found.push(word);
  }
  return found;
}

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, readlink, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, afterEach, beforeEach, suite, test } from 'node:test';
import { archiveKind } from '../../agent/registry/archiveUrl';
import { LocalServer, tarGz, zip, type ArchiveEntry } from '../../../test/unit-support/archives';
import { posixOnly } from '../../../test/unit-support/platform';
import { UnpackTarget } from './unpackTarget';
import { install, replaceFolder, type InstallOptions } from './installer';
import { beforeTests } from '../../../test/unit-support/beforeTests';

const program: ArchiveEntry = { name: 'bin/agent', content: '#!/bin/sh\n' };
const library: ArchiveEntry = { name: './lib/data.txt', content: 'data' };
/** A tar archive of these two files, compressed with bzip2. */
const bzipped =
  'QlpoOTFBWSZTWWlx7SAAAKV7kMuQAFBoAf+AEIB25Z5ABAAICCAAlISiU9I9Q0NDQ8gn6hNMAlJAA0AAAADkPlEg0MjygAvcRAEsqcFCgpY5FkA6IIKCXORPOms//3dHdE5iCDNOSFBHkVLEtb0WOPj4EmcFoyl5je+pcas8qyaBlgGYQJEThoTBqzos1+KahED8XckU4UJBpce0gA==';

let outside: string;
let root: string;
let server: LocalServer;

beforeTests(async () => {
  server = await LocalServer.open();
});
beforeEach(async () => {
  outside = await mkdtemp(join(tmpdir(), 'parley-install-'));
  root = join(outside, 'agents');
  server.requests.length = 0;
});
afterEach(() => rm(outside, { recursive: true }));
after(() => server.close());

function installFrom(address: string, more: { sha256?: string; cmd?: string } & Partial<InstallOptions> = {}) {
  const { sha256, cmd = 'bin/agent', ...options } = more;
  const target = {
    archive: address,
    kind: archiveKind(address)!,
    cmd,
    mayBeOfSystem: !cmd.includes('/'),
    args: [],
    env: {},
    ...(sha256 !== undefined && { sha256 }),
  };
  const agent = { id: 'one', name: 'One', version: '1.0.0' };
  return install({ root, agent, target, signal: new AbortController().signal, ...options });
}

const throughLinks = 'a link that leads outside through another link';

/** Windows lets only some users create links. */
function canLink(): Promise<boolean> {
  const link = join(outside, 'link');
  return symlink('nowhere', link)
    .then(() => rm(link))
    .then(
      () => true,
      () => false,
    );
}

async function nothingStays(work: Promise<unknown>, message: RegExp): Promise<void> {
  await assert.rejects(work, message);
  assert.deepEqual(await readdir(join(root, 'one')), []);
  // Nothing was written outside the folder of all agents either.
  assert.deepEqual(await readdir(outside), ['agents']);
}

suite('installing a program', () => {
  const folder = () => join(root, 'one', '1.0.0');

  for (const [ending, make] of [
    ['zip', async () => zip([program, library])],
    ['tar.gz', () => tarGz([program, library])],
    ['tgz', () => tarGz([program, library])],
    ['tar.bz2', async () => Buffer.from(bzipped, 'base64')],
    ['tbz2', async () => Buffer.from(bzipped, 'base64')],
  ] as const) {
    test(`unpacks it from .${ending} into its version folder and makes it executable`, posixOnly, async () => {
      const bytes = await make();
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const { command } = await installFrom(server.serve(`/agent.${ending}`, bytes), { sha256 });
      assert.equal(command, join(folder(), 'bin', 'agent'));
      assert.equal(await readFile(command, 'utf8'), '#!/bin/sh\n');
      assert.equal((await stat(command)).mode & 0o777, 0o755);
      assert.equal(await readFile(join(folder(), 'lib', 'data.txt'), 'utf8'), 'data');
      assert.deepEqual(await readdir(join(root, 'one')), ['1.0.0']);
    });
  }

  test('names a bare program file after its cmd', posixOnly, async () => {
    const { command } = await installFrom(server.serve('/agent-linux', '#!/bin/sh\n'), { cmd: 'agent' });
    assert.equal(command, join(folder(), 'agent'));
    assert.equal((await stat(command)).mode & 0o777, 0o755);
  });

  test('keeps its links and limits its permissions', posixOnly, async () => {
    const entries: ArchiveEntry[] = [
      { name: 'bin/current', type: 'symlink', target: '../lib/tool' },
      { name: 'lib/tool', content: 'tool', mode: 0o6777 },
      { name: 'lib/same', type: 'link', target: 'lib/tool' },
      { name: 'lib/nowhere', type: 'symlink', target: 'missing' },
      program,
    ];
    await installFrom(server.serve('/links.tgz', await tarGz(entries)));
    assert.equal(await readlink(join(folder(), 'bin', 'current')), '../lib/tool');
    assert.equal((await stat(join(folder(), 'bin', 'current'))).mode & 0o7777, 0o755);
    assert.equal(await readFile(join(folder(), 'lib', 'same'), 'utf8'), 'tool');
    assert.deepEqual(await readdir(join(folder(), 'lib')), ['same', 'tool']);
  });

  test('replaces an earlier attempt at the same version', async () => {
    await mkdir(folder(), { recursive: true });
    await writeFile(join(folder(), 'old'), '');
    await installFrom(server.serve('/again.zip', zip([program])));
    assert.deepEqual(await readdir(folder()), ['bin']);
    assert.deepEqual(await readdir(join(root, 'one')), ['1.0.0']);
  });

  test('uses a system program for a bare name missing from the archive', async () => {
    assert.equal((await installFrom(server.serve('/system.zip', zip([library])), { cmd: 'node' })).command, 'node');
  });

  test('reports its progress', async () => {
    const seen: number[] = [];
    const bytes = zip([program]);
    await installFrom(server.serve('/progress.zip', bytes), {
      onProgress: ({ received, total }) => {
        assert.equal(total, bytes.length);
        seen.push(received);
      },
    });
    assert.equal(seen.at(-1), bytes.length);
  });
});

suite('an installation fails and leaves no files', () => {
  test('when the checksum differs', async () => {
    await nothingStays(
      installFrom(server.serve('/wrong.zip', zip([program])), { sha256: '0'.repeat(64) }),
      /checksum of .*wrong\.zip doesn’t match\. Nothing was installed/,
    );
  });

  const attacks: readonly (readonly [string, readonly ArchiveEntry[]])[] = [
    ['a name with ..', [{ name: '../evil', content: 'x' }]],
    ['a name with .. in the middle', [{ name: 'a/../../evil', content: 'x' }]],
    ['an absolute name', [{ name: '/tmp/parley-evil', content: 'x' }]],
    ['a name with backslashes', [{ name: '..\\evil', content: 'x' }]],
    ['a Windows drive', [{ name: 'C:\\evil', content: 'x' }]],
    ['a link that leads outside', [{ name: 'out', type: 'symlink', target: '../..' }]],
    ['an absolute link', [{ name: 'out', type: 'symlink', target: '/tmp' }]],
    [
      'a file behind a link',
      [
        { name: 'out', type: 'symlink', target: 'lib' },
        { name: 'out/evil', content: 'x' },
      ],
    ],
    [
      throughLinks,
      [
        { name: 'a/b/c', type: 'symlink', target: '../..' },
        { name: 'm', type: 'symlink', target: 'a/b/c/../..' },
      ],
    ],
    [
      'a link behind a link',
      [
        { name: 'd/e', type: 'symlink', target: '.' },
        { name: 'd/e/m', type: 'symlink', target: '../..' },
      ],
    ],
    ['something that is no file', [{ name: 'pipe', type: 'fifo' }]],
  ];
  for (const [what, entries] of attacks) {
    for (const [kind, make] of [
      ['zip', zip],
      ['tgz', tarGz],
    ] as const) {
      test(`for ${what} in a ${kind}`, async () => {
        const bytes = await make([program, ...entries]);
        if (throughLinks === what && !(await canLink())) {
          // The links are copies, which lead nowhere.
          await installFrom(server.serve(`/attack.${kind}`, bytes));
          assert.deepEqual(await readdir(outside), ['agents']);
          return;
        }
        await nothingStays(installFrom(server.serve(`/attack.${kind}`, bytes)), /rejected|Couldn’t unpack/);
      });
    }
  }

  test('for a hard link that leads outside', async () => {
    const bytes = await tarGz([program, { name: 'hard', type: 'link', target: '../../../../etc/passwd' }]);
    await nothingStays(installFrom(server.serve('/hard.tgz', bytes)), /rejected/);
  });

  test('when the archive is damaged', async () => {
    const bytes = await tarGz([program, { name: 'big', content: 'x'.repeat(9000) }]);
    for (const ending of ['tgz', 'zip', 'tbz2']) {
      const address = server.serve(`/half.${ending}`, bytes.subarray(0, bytes.length - 20));
      await nothingStays(installFrom(address), /Couldn’t unpack/);
    }
  });

  test('when the archive lacks the program', async () => {
    await nothingStays(
      installFrom(server.serve('/empty.zip', zip([library]))),
      /doesn’t contain its program, bin\/agent/,
    );
  });

  test('when the connection closes early', async () => {
    server.answers.set('/cut.zip', (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('half', () => response.destroy());
    });
    await nothingStays(
      installFrom(server.url('/cut.zip')),
      /Couldn’t download from 127\.0\.0\.1:\d+: .+ Check your connection/,
    );
    await nothingStays(installFrom(server.url('/nothing.zip')), /Couldn’t download from .*: 404/);
  });

  test('when the server falls silent or takes too long', async () => {
    server.answers.set('/silent.zip', () => undefined);
    server.answers.set('/stuck.zip', (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('half');
    });
    const patience = { silenceMs: 100, totalMs: 60_000 };
    for (const path of ['/silent.zip', '/stuck.zip']) {
      await nothingStays(
        installFrom(server.url(path), { patience }),
        /the server sent nothing for 0 s\. Check your connection/,
      );
    }
    server.answers.set('/drops.zip', (_request, response) => {
      response.writeHead(200, { 'content-length': '1000000' });
      const timer = setInterval(() => response.write('x'), 10);
      response.on('close', () => clearInterval(timer));
    });
    const short = { silenceMs: 60_000, totalMs: 200 };
    await nothingStays(installFrom(server.url('/drops.zip'), { patience: short }), /timed out after 0 minutes/);
  });

  test("when the unpacked size far exceeds the archive's", async () => {
    const zeros = '\0'.repeat(60_000_000);
    const bomb = await tarGz([program, { name: 'zeros', content: zeros }]);
    assert.ok(bomb.length < 100_000);
    await nothingStays(installFrom(server.serve('/bomb.tgz', bomb)), /too large for an agent/);
  });

  test('when the user cancels', async () => {
    const cancelled = new AbortController();
    server.answers.set('/slow.zip', (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('half');
    });
    const onProgress = () => cancelled.abort();
    await nothingStays(installFrom(server.url('/slow.zip'), { signal: cancelled.signal, onProgress }), /abort/i);
  });

  test('when the URL is unsafe, also after a redirect', async () => {
    server.answers.set('/moved.zip', (_request, response) =>
      response.writeHead(302, { location: 'http://example.com/agent.zip' }).end(),
    );
    await nothingStays(installFrom(server.url('/moved.zip')), /http:\/\/example\.com\/agent\.zip isn’t an https URL/);
    await nothingStays(installFrom('http://example.com/agent.zip'), /isn’t an https URL/);
    server.serve('/there.zip', zip([program]));
    server.answers.set('/moved.zip', (_request, response) => response.writeHead(302, { location: '/there.zip' }).end());
    await installFrom(server.url('/moved.zip'));
  });
});

suite('moving a finished folder into place', () => {
  const place = (name: string) => join(outside, name);
  const text = (name: string) => readFile(join(outside, name, 'a.txt'), 'utf8');

  /** Moves as Windows does: the first moves to a folder are refused while a program has one of its files open. */
  function held(to: string, attempts: number) {
    let left = attempts;
    const move = (from: string, target: string) => {
      if (target !== place(to) || left-- <= 0) return rename(from, target);
      return Promise.reject(Object.assign(new Error('operation not permitted, rename'), { code: 'EPERM' }));
    };
    return { platform: 'win32', move, pause: () => undefined } as const;
  }

  beforeEach(async () => {
    for (const name of ['content', 'version']) {
      await mkdir(place(name));
      await writeFile(join(place(name), 'a.txt'), name);
    }
  });

  for (const to of ['version', 'former']) {
    test(`waits while another program holds a file: the move to ${to}`, async () => {
      await replaceFolder(place('content'), place('version'), place('former'), 'One', held(to, 5));
      assert.equal(await text('version'), 'content');
    });
  }

  test('restores the same version if the new folder stays in use', async () => {
    const { move, ...rest } = held('version', Infinity);
    const back = (from: string, to: string) => (from === place('former') ? rename(from, to) : move(from, to));
    const moved = replaceFolder(place('content'), place('version'), place('former'), 'One', { ...rest, move: back });
    await assert.rejects(moved, /Another program is using the folder of One/);
    assert.equal(await text('version'), 'version');
    assert.equal(await text('content'), 'content');
  });
});

test("copies link targets from an archive where links aren't permitted", async () => {
  const folder = join(outside, 'content');
  await mkdir(folder);
  const refuse = () => Promise.reject(Object.assign(new Error('operation not permitted, symlink'), { code: 'EPERM' }));
  const target = new UnpackTarget(folder, 1000, new AbortController().signal, refuse);
  await target.addFile('lib/real.txt', 0o644, Readable.from('text'));
  target.addLink('bin/second', '../first');
  target.addLink('first', 'lib/real.txt');
  target.addLink('copy', 'lib');
  target.addLink('lib/self', '.');
  target.addLink('gone', 'lib/missing');
  await target.finish();
  for (const name of ['first', 'bin/second', 'copy/real.txt']) {
    assert.equal(await readFile(join(folder, name), 'utf8'), 'text', name);
  }
  assert.deepEqual((await readdir(folder)).sort(), ['bin', 'copy', 'first', 'lib']);
});

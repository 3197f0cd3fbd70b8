import assert from 'node:assert/strict';
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createVSIX } from '@vscode/vsce';
import { channelOf, notesOf, problemsOf, publishArgs } from '../release/facts.mjs';
import { listedChangelog, listedReadme } from '../release/listing.mjs';
import { sbomOf } from '../release/sbom.mjs';
import { tempFolder } from './tempFolder';

const ready = {
  version: '1.2.3',
  tag: 'v1.2.3',
  changelog: '# Changelog\n\n## 1.2.3\n\n- See more.\n\n## 1.2.2\n\n- See less.\n',
  agentsOf: '2026-11-20',
  today: new Date('2026-11-28'),
};

test('an odd minor number is a pre-release', () => {
  assert.equal(channelOf('0.1.9'), 'pre-release');
  assert.equal(channelOf('1.12.0'), 'release');
  for (const version of ['1.2', '1.2.3-beta.1', 'v1.2.3']) assert.throws(() => channelOf(version));
});

test('the notes of a release are its part of the change log', () => {
  assert.equal(notesOf(ready.changelog, '1.2.3'), '- See more.');
  assert.equal(notesOf(ready.changelog, '1.2.2'), '- See less.');
  assert.equal(notesOf(ready.changelog, '1.2'), undefined);
  assert.equal(notesOf('## Unreleased\n\n- See more.\n', '1.2.3'), undefined);
});

test('a release needs its tag, notes, and a fresh list of agents', () => {
  assert.deepEqual(problemsOf(ready), []);
  assert.match(problemsOf({ ...ready, tag: 'v1.2.4' }).join(), /The tag is v1\.2\.4/);
  assert.match(problemsOf({ ...ready, changelog: '## Unreleased\n\n- See more.\n' }).join(), /no section/);
  assert.match(problemsOf({ ...ready, agentsOf: '2026-11-01' }).join(), /npm run registry/);
});

test('the listing says what is for who installs Parley there', async () => {
  const own = await readFile('README.md', 'utf8');
  assert.match(own, /isn’t there yet/);
  const listed = listedReadme(own);
  assert.match(listed, /^Press \*\*Install\*\*\./m);
  assert.doesNotMatch(listed, /there yet|<!--|<picture/);
  assert.equal(listedReadme('<picture>\n<source srcset="a">\n<img src="b">\n</picture>\n'), '<img src="b">\n');
  assert.throws(() => listedReadme('<!-- repository: begin -->\n'), /without its end/);
});

test('the README fits one screen, and its links lead somewhere', async () => {
  const own = await readFile('README.md', 'utf8');
  const lines = own.replace(/<!-- listing:[^]*?-->\n/g, '').split('\n');
  assert.ok(lines.length <= 65, `${lines.length} lines`);
  assert.deepEqual(own.match(/^## .*/gm), [
    '## Install',
    '## Your first agent',
    '## Five keys',
    '## What we found in no other client',
    '## Trust',
  ]);
  assert.equal(own.match(/<img|!\[/g)?.length, 1);
  for (const [, path = '', anchor] of own.matchAll(/\]\((?!https:)([^)#]+)(?:#([^)]+))?\)/g)) {
    const page = await readFile(path, 'utf8');
    const anchors = [...page.matchAll(/^#+ (.*)/gm)].map(([, title = '']) => title.toLowerCase().replaceAll(' ', '-'));
    if (anchor !== undefined) assert.ok(anchors.includes(anchor), `${path}#${anchor}`);
  }
});

test('the first version is told on one screen', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  const lines = notesOf(await readFile('CHANGELOG.md', 'utf8'), version)?.split('\n') ?? [];
  assert.ok(lines.length > 5 && lines.length <= 45, `${lines.length} lines`);
});

test('the listing has the versions, and nothing unreleased', () => {
  const changelog = '# Changelog\n\n## Unreleased\n\n### Chat\n\n- See all.\n\n## 1.0.0\n\n- See more.\n';
  assert.equal(listedChangelog(changelog), '# Changelog\n\n## 1.0.0\n\n- See more.\n');
});

test('a token takes the place of trusted publishing', () => {
  const release = { packages: ['a.vsix', 'b.vsix'], channel: 'release' as const, hasToken: false };
  const packages = ['--packagePath', 'a.vsix', 'b.vsix'];
  assert.deepEqual(publishArgs('marketplace', release), ['publish', '--oidc', '--skip-duplicate', ...packages]);
  assert.deepEqual(publishArgs('open-vsx', { ...release, hasToken: true }), [
    'publish',
    '--skip-duplicate',
    ...packages,
  ]);
  const early = { ...release, channel: 'pre-release' as const };
  assert.ok(publishArgs('marketplace', early).includes('--pre-release'));
});

test('the bill of materials has every package that ships, with its hash', () => {
  const locked = {
    'node_modules/@a/b': { version: '1.0.0', integrity: 'sha512-AAEC', license: 'MIT' },
    'node_modules/c': { version: '2.0.0', integrity: 'sha1-AAEC', license: '(MIT OR Apache-2.0)' },
    'node_modules/d/node_modules/c': { version: '1.0.0', integrity: 'sha1-AwQF' },
  };
  const product = { name: 'parley-acp', version: '0.1.0', license: 'MIT' };
  const { components } = sbomOf(product, ['@a/b', 'c'], locked);
  assert.deepEqual(
    components.map(({ purl, hashes }) => [purl, hashes]),
    [
      ['pkg:npm/%40a/b@1.0.0', [{ alg: 'SHA-512', content: '000102' }]],
      ['pkg:npm/c@2.0.0', [{ alg: 'SHA-1', content: '000102' }]],
    ],
  );
  assert.throws(() => sbomOf(product, ['e'], locked), /lacks e/);
});

test('the same files make the same package, whenever they were written', async (t) => {
  const before = process.env['SOURCE_DATE_EPOCH'];
  process.env['SOURCE_DATE_EPOCH'] = '1700000000';
  t.after(() => {
    if (before === undefined) delete process.env['SOURCE_DATE_EPOCH'];
    else process.env['SOURCE_DATE_EPOCH'] = before;
  });
  const packages = [];
  for (const day of [1, 2]) {
    const cwd = join(tempFolder(t), 'product');
    await mkdir(cwd);
    const manifest = { name: 'a', publisher: 'b', version: '1.0.0', engines: { vscode: '^1.106.0' }, license: 'MIT' };
    const files = { 'package.json': JSON.stringify(manifest), 'README.md': 'A.', LICENSE: 'MIT', 'a.js': '1;' };
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(cwd, name), text);
      await utimes(join(cwd, name), day, day * 86_400);
    }
    const packagePath = join(cwd, '..', 'a.vsix');
    await createVSIX({ cwd, packagePath, dependencies: false, allowMissingRepository: true });
    packages.push(await readFile(packagePath));
  }
  assert.ok(packages[0]?.equals(packages[1] ?? Buffer.alloc(0)));
});

for (const workflow of ['ci', 'release']) {
  test(`the workflow ${workflow} runs only code that can’t be replaced`, async () => {
    const text = await readFile(`.github/workflows/${workflow}.yml`, 'utf8');
    const used = [...text.matchAll(/^\s*(?:- )?uses: (.*)$/gm)].map(([, action = '']) => action);
    assert.ok(used.length > 0);
    for (const action of used) assert.match(action, /^[\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
    assert.doesNotMatch(text, /\bnpx\b/, 'A program of npm without a lock file.');
  });
}

test('each job of a release has only the rights it needs', async () => {
  const text = await readFile('.github/workflows/release.yml', 'utf8');
  assert.match(text, /^permissions: \{\}$/m);
  const [, ...jobs] = text.slice(text.indexOf('\njobs:\n')).split(/^ {2}(?=[\w-]+:$)/m);
  const rights = Object.fromEntries(
    jobs.map((job) => [
      job.slice(0, job.indexOf(':')),
      [...job.matchAll(/^ {6}([\w-]+): (read|write)$/gm)].map(([line]) => line.trim()),
    ]),
  );
  assert.deepEqual(rights, {
    build: ['contents: read'],
    attest: ['id-token: write', 'attestations: write', 'artifact-metadata: write'],
    marketplace: ['contents: read', 'id-token: write'],
    'open-vsx': ['contents: read', 'id-token: write'],
    github: ['contents: write'],
  });
  for (const job of jobs) {
    // What a token could be stolen from installs nothing that runs at install.
    if (/id-token: write|contents: write/.test(job))
      assert.doesNotMatch(job, /npm (?:ci|install)(?!.*--ignore-scripts)/);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSecretFile } from './secretFile';

test('recognizes files with keys, tokens, and passwords', () => {
  const secret = [
    '.env',
    '.env.local',
    'prod.env',
    'server.pem',
    'server.KEY',
    'id_ed25519',
    'secrets.yaml',
    '.npmrc/.netrc',
  ];
  for (const name of secret) assert.equal(isSecretFile(`/w/${name}`, '/w'), true, name);
  assert.equal(isSecretFile('/home/me/.ssh/config'), true);
  assert.equal(isSecretFile('C:\\w\\.env', 'C:\\w'), true);
});

test('ignores source files and examples', () => {
  for (const name of [
    'retry.ts',
    '.env.example',
    'env.ts',
    'keys.ts',
    'secretFile.ts',
    'monkey.txt',
    '.vscode/settings.json',
  ]) {
    assert.equal(isSecretFile(`/w/${name}`, '/w'), false, name);
  }
});

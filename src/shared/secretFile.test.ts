import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSecretFile } from './secretFile';

test('files with keys, tokens, and passwords are secret', () => {
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

test('sources and examples are not', () => {
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

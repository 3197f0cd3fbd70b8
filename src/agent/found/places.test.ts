import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchedPlaces } from './places';

test('searches PATH first, without relative entries and duplicates', () => {
  const env = { PATH: '/opt/x/:./bin::node_modules/.bin:/usr/bin:/opt/x:/:/home/me/.local/bin' };
  const places = searchedPlaces({ platform: 'linux', home: '/home/me', env });
  assert.deepEqual(places.slice(0, 5), ['/opt/x', '/usr/bin', '/', '/home/me/.local/bin', '/home/me/.npm-global/bin']);
  assert.equal(new Set(places).size, places.length);
  assert.equal(
    places.every((place) => place.startsWith('/')),
    true,
  );
  assert.deepEqual(places.slice(-4), [
    '/usr/local/bin',
    '/opt/homebrew/bin',
    '/home/linuxbrew/.linuxbrew/bin',
    '/snap/bin',
  ]);
  const alone = searchedPlaces({ platform: 'linux', home: '/home/me', env: { Path: '/not/posix' } });
  assert.equal(alone[0], '/home/me/.local/bin');
});

test('on Windows, reads PATH in any case and unquotes its entries', () => {
  const env = { Path: '"C:\\My Tools\\";bin;D:\\x\\', appdata: 'C:\\R', LOCALAPPDATA: undefined };
  const places = searchedPlaces({ platform: 'win32', home: 'C:\\me', env });
  assert.deepEqual(places.slice(0, 4), ['C:\\My Tools', 'D:\\x', 'C:\\R\\npm', 'C:\\me\\.local\\bin']);
  assert.equal(
    places.some((place) => place.includes('WinGet') || place.includes('/usr/')),
    false,
  );
  const local = searchedPlaces({ platform: 'win32', home: 'C:\\me', env: { LocalAppData: 'C:\\L' } });
  assert.deepEqual(local.slice(0, 2), ['C:\\L\\Microsoft\\WinGet\\Links', 'C:\\L\\pnpm']);
});

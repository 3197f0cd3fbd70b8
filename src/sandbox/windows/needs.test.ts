import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { missingNeed } from '../sandboxNeeds';
import { windowsHelper } from './helper';

/** What version 0.0.83 of the program printed for `user status`, without a set-up and under Wine. */
const notSetUp = {
  ca_cert_pem: null,
  ca_cert_thumb: null,
  capabilities: ['profile-deny-expansion', 'exec-holder'],
  cred_present: false,
  marker_user_sid: null,
  marker_version: null as number | null,
  persistent_grants: { pending: [], roots: [], state: 'none' },
  profile_grant: { state: 'none' },
  real_user_sid: 'S-1-5-21-0-0-0-1000',
  seclogon: 'ok',
  session_user_sid: 'S-1-5-21-0-0-0-1000',
  setup_version: 3,
  user: { exists: false, group_exists: false, in_sandbox_group: false, name: 'srt-sandbox' },
};
const setUp = { ...notSetUp, cred_present: true, marker_version: 3, user: { ...notSetUp.user, exists: true } };

const helper = String.raw`C:\Users\Ann O'Hara\ext\srt-win.exe`;

/** Returns what is missing on Windows if the program answers with this. */
function needs(answer: unknown, { arch = 'x64', isThere = true } = {}) {
  const asked: string[] = [];
  const print = (file: string, args: readonly string[]) => {
    asked.push([file, ...args].join(' '));
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(`${JSON.stringify(answer)}\r\n`);
  };
  const options = { platform: 'win32', arch, env: {}, helper, exists: () => isThere, print } as const;
  return missingNeed(options).then((missing) => ({ missing, asked }));
}

test('a sandbox that is set up on Windows lacks nothing', async () => {
  const { missing, asked } = await needs(setUp);
  assert.equal(missing, undefined);
  assert.deepEqual(asked, [`${helper} user status`]);
});

test('what Windows’ set-up needs is said, with the line that does it', async () => {
  const line = async (answer: object) => (await needs(answer)).missing?.line;
  const install = String.raw`powershell -Command "& 'C:\Users\Ann O''Hara\ext\srt-win.exe' install"`;
  assert.equal(await line(notSetUp), install);
  assert.equal(await line({ ...setUp, cred_present: false }), install);
  assert.equal(await line({ ...setUp, user: notSetUp.user }), install);
  // Another program with this library has set it up.
  assert.equal(await line({ ...setUp, marker_version: 2 }), install);
  assert.equal(await line({ ...setUp, marker_version: null }), install);
  assert.equal(await line({ ...setUp, marker_version: 4 }), install.replace('install"', 'install --force"'));
  assert.match((await line({ ...setUp, seclogon: 'disabled' })) ?? '', /sc\.exe .*config seclogon start= demand/);
});

test('where Windows can’t have a sandbox, the reason is said', async () => {
  const problem = async (...args: Parameters<typeof needs>) => {
    const { missing } = await needs(...args);
    assert.equal(missing?.line, undefined);
    return missing?.problem ?? '';
  };
  assert.match(await problem({ ...setUp, seclogon: 'missing' }), /“Secondary Logon”.* is missing/);
  assert.match(await problem(setUp, { arch: 'ia32' }), /processor \(ia32\)/);
  assert.match(await problem(setUp, { isThere: false }), /isn’t in this package.* in WSL or in a dev container/);
  assert.match(await problem(new Error('blocked by a policy')), /can’t run: blocked by a policy/);
  for (const answer of ['no answer', null]) assert.match(await problem(answer), /can’t run: no answer/);
});

test('the program for Windows is beside the keeper', () => {
  const expected = join('dist', 'vendor', 'srt-win', 'arm64', 'srt-win.exe');
  assert.equal(windowsHelper(join('dist', 'sandboxKeeper.js'), 'arm64'), expected);
});

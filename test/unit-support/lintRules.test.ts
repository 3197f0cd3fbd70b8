import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import ts from 'typescript';
import tseslint from 'typescript-eslint';

/** Strict rules that don't run, and why Parley can do without. */
const leftOut: Readonly<Record<string, string>> = {
  '@typescript-eslint/no-unsafe-class-instance-assignment':
    'The compiler reports the same for every class with a private member or a base class.',
  '@typescript-eslint/no-invalid-void-type': "It reports unions with void, which VS Code's interface has.",
};
/** Rules of ESLint itself, which oxlint lists without the plugin that extends them. */
const asInEslint = new Set([
  'no-array-constructor',
  'no-unused-expressions',
  'no-unused-vars',
  'no-useless-constructor',
]);

interface Config {
  readonly overrides: readonly {
    readonly files: readonly string[];
    readonly rules: Readonly<Record<string, unknown>>;
  }[];
}

test('checks every strict rule of typescript-eslint, or says why not', async () => {
  const text = await readFile('.oxlintrc.json', 'utf8');
  const config = ts.parseConfigFileTextToJson('.oxlintrc.json', text).config as Config;
  const rules = config.overrides.find(({ files }) => files.join() === '**/*.ts')?.rules ?? {};
  const strict = new Map(tseslint.configs.strictTypeChecked.flatMap((one) => Object.entries(one.rules ?? {})));
  const on = [...strict].filter(([, rule]) => ![rule].flat().includes('off')).map(([name]) => name);
  assert.ok(on.length > 60);
  const missing = on.filter((name) => {
    const plain = name.replace('@typescript-eslint/', '');
    const rule = rules[name === plain || asInEslint.has(plain) ? plain : `typescript/${plain}`];
    return ![rule].flat().includes('error') && !(name in leftOut);
  });
  assert.deepEqual(missing, []);
});

import { createRequire } from 'node:module';
import type { RE2JS as Engine } from 're2js';

/*
 * Stands in for re2js in the extension's bundle (esbuild.mjs), and loads it with the first pattern. Most windows have no
 * pattern from outside: no such rule, search, or form. What compiles patterns is synchronous, so this is too.
 */

type Re2 = Pick<typeof Engine, 'compile' | 'translateRegExp' | 'CASE_INSENSITIVE'>;

let engine: Re2 | undefined;

function loaded(): Re2 {
  if (!engine) {
    const { RE2JS } = createRequire(import.meta.url)('./re2.cjs') as { readonly RE2JS: Re2 };
    engine = RE2JS;
  }
  return engine;
}

export const RE2JS: Re2 = {
  compile: (pattern, flags) => loaded().compile(pattern, flags),
  translateRegExp: (pattern) => loaded().translateRegExp(pattern),
  get CASE_INSENSITIVE() {
    return loaded().CASE_INSENSITIVE;
  },
};

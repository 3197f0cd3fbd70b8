// @ts-check
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { inRoot, root } from '../root.mjs';
import { cacheFolder } from '../workbench/cache.mjs';

const answerFile = join(cacheFolder(), 'mutants', 'compiles.json');

/** Says whether files of the product still compile with another text, and remembers it by that text. */
export class Compiler {
  static async read() {
    const answers = await readFile(answerFile, 'utf8').then(JSON.parse, () => ({}));
    return new Compiler(answers);
  }

  /** @param {Record<string, boolean>} answers */
  constructor(answers) {
    this.answers = answers;
    const config = ts.readConfigFile(inRoot('tsconfig.json'), (path) => ts.sys.readFile(path));
    const { fileNames, options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
    /** @type {Map<string, { version: number, text: string }>} */
    this.changed = new Map();
    /** @type {ts.LanguageServiceHost} */
    const host = {
      // What a mutant no longer uses isn't an error.
      getCompilationSettings: () => ({ ...options, noUnusedLocals: false, noUnusedParameters: false }),
      getScriptFileNames: () => fileNames,
      getScriptVersion: (path) => String(this.changed.get(path)?.version ?? 0),
      getScriptSnapshot: (path) => {
        const text = this.changed.get(path)?.text ?? ts.sys.readFile(path);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => root,
      getDefaultLibFileName: (one) => ts.getDefaultLibFilePath(one),
      fileExists: (path) => ts.sys.fileExists(path),
      readFile: (path) => ts.sys.readFile(path),
      readDirectory: (path, ...more) => ts.sys.readDirectory(path, ...more),
      directoryExists: (path) => ts.sys.directoryExists(path),
      getDirectories: (path) => ts.sys.getDirectories(path),
      realpath: (path) => ts.sys.realpath?.(path) ?? path,
    };
    this.service = ts.createLanguageService(host);
  }

  /** @param {string} file relative to the project @param {string} text */
  compiles(file, text) {
    const key = createHash('sha256').update(`${file}\0${text}`).digest('hex');
    return (this.answers[key] ??= this.compilesNow(file, text));
  }

  /** @param {string} file @param {string} text */
  compilesNow(file, text) {
    const path = join(root, file);
    this.set(path, text);
    const errors =
      this.service.getSyntacticDiagnostics(path).length > 0 || this.service.getSemanticDiagnostics(path).length > 0;
    this.set(path, readFileSync(path, 'utf8'));
    return !errors;
  }

  /** @param {string} path @param {string} text */
  set(path, text) {
    const version = (this.changed.get(path)?.version ?? 0) + 1;
    this.changed.set(path, { version, text });
  }

  async write() {
    await mkdir(dirname(answerFile), { recursive: true });
    await writeFile(answerFile, JSON.stringify(this.answers));
  }
}

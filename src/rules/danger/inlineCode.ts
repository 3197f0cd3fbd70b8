import type { Reading } from '../line/programs';

/* Code in the words of a command, such as `python -c "…"`: what it may do can only be guessed from its names. */

/** Options that are followed by code, by program. A program that has none here takes its first word. */
const codeOptions: Readonly<Record<string, RegExp>> = {
  python: /^-[a-zA-Z]*c$/,
  node: /^(-[a-z]*[ep]|--eval|--print|-pe)$/,
  'ts-node': /^(-[a-z]*[ep]|--eval|--print)$/,
  tsx: /^(-[a-z]*[ep]|--eval|--print)$/,
  deno: /^(eval|-p)$/,
  bun: /^(-[ep]|--eval|--print)$/,
  ruby: /^-[a-z]*e$/,
  perl: /^-[a-zA-Z0-9]*[eE]$/,
  php: /^(-[rBRE]|--run|--process-code)$/,
  lua: /^-e$/,
  luajit: /^-e$/,
  rscript: /^-e$/,
  r: /^-e$/,
  julia: /^(-[eE]|--eval|--print)$/,
  elixir: /^(-e|--eval|--rpc-eval)$/,
  erl: /^-eval$/,
  groovy: /^-e$/,
  scala: /^-e$/,
  jshell: /^-$/,
  swift: /^-e$/,
  ghc: /^-e$/,
  racket: /^-e$/,
  guile: /^-c$/,
  emacs: /^(--eval|--execute)$/,
  osascript: /^-e$/,
  pwsh: /^-(c|command|e|ec|en[a-z]*)$/i,
  powershell: /^-(c|command|e|ec|en[a-z]*)$/i,
  rails: /^(runner|r)$/,
  tclsh: /^-c$/,
  mongosh: /^(--eval|-e)$/,
  mongo: /^--eval$/,
};

/** Names that only compute and print. */
const harmlessNames = new Set(
  (
    'print println printf puts console log error warn info json JSON parse stringify loads dumps load dump require import ' +
    'from as const let var if else for in of while true false True False None null undefined not and or is len str int float ' +
    'list dict set tuple range sorted sum min max abs round type typeof repr format join split map filter reduce keys ' +
    'values entries Object Array String Number Boolean Math Date now process version versions platform arch argv cwd env ' +
    'sys os path node resolve basename dirname extname exports module name __version__ __file__ __name__ stdout stdin ' +
    'readFileSync read readlines utf8 toString length slice replace trim match test includes indexOf floor ceil sqrt pi e ' +
    'executable version_info uname machine lambda def return async await then catch new toISOString getTime round ' +
    'math random datetime time strftime isoformat today collections Counter re sub findall search group exists isfile isdir ' +
    'listdir getcwd getenv environ expanduser abspath echo phpversion p pp say my use strict warnings BEGIN END NR NF FS OFS ' +
    'item items append get push concat flat sort reverse find some every padStart padEnd toFixed hashlib sha256 sha1 md5 ' +
    'hexdigest encode decode base64 b64encode b64decode Buffer uuid uuid4 randomUUID crypto createHash update digest hex pip ' +
    'importlib metadata struct pack unpack enumerate zip any all chr ord hex bin divmod pow fs package dependencies scripts open db findOne aggregate countDocuments limit pretty show toArray'
  ).split(' '),
);

/** Returns the code in a command's words; undefined if it has none. */
export function codeIn({ program, args }: Reading): { readonly option: string; readonly code: string } | undefined {
  const options = Object.hasOwn(codeOptions, program) ? codeOptions[program] : undefined;
  if (!options) return undefined;
  for (const [index, word] of args.entries()) {
    const [option = '', value] = word.startsWith('--') ? word.split(/=(.*)/s) : [word];
    if (options.test(option)) return { option, code: value ?? args[index + 1] ?? '' };
    // The code may be right behind the option's letter.
    const attached = /^(-[a-zA-Z]*?[ceEprR])(.+)$/s.exec(word);
    if (attached && options.test(attached[1] ?? '') && /[\s()'";]/.test(word))
      return { option: word, code: attached[2] ?? '' };
    // After the script's name, options are the script's.
    if (!word.startsWith('-') && !/^(deno|rails|mongo|mongosh)$/.test(program)) return undefined;
  }
  return undefined;
}

/** Returns whether code only computes and prints, as far as its names tell. */
export function isHarmlessCode(code: string): boolean {
  // What is called by a computed name can be anything, and so can what a text says.
  if (/\]\s*\(|`[^`]*\$|\bexec\b|\beval\b|\\x|\\u|%x|qx|\+\s*['"]\w+['"]\s*\]/.test(code)) return false;
  if (/\bopen\s*\(?[^)]*,|['"]\s*\|/.test(code) || />\s*['"]/.test(code)) return false;
  const own = new Set(
    [...code.matchAll(/\b(?:const|let|var|for|as|lambda)\s+(\w+)|\b(\w+)\s*=(?!=)/g)].map(
      (found) => found[1] ?? found[2] ?? '',
    ),
  );
  const withoutTexts = code.replace(/'[^'\\\n]*'|"[^"\\\n]*"/g, (text) =>
    /^.(node:)?(child_process|fs\/promises|shelljs|worker_threads|vm|net|cluster).$/.test(text) ? ' forbidden ' : ' ',
  );
  const names = withoutTexts.match(/[A-Za-z_]\w*/g) ?? [];
  return names.every((name) => harmlessNames.has(name) || own.has(name) || name.length === 1);
}

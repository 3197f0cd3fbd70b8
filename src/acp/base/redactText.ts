/** Replaces a secret. */
export const hidden = '[redacted]';

/** Names whose values are secret. */
const secretName =
  /(authorization|cookie|token|api[-_]?key|apikey|secret|passw(or)?d|passphrase|credential|(private|access|session)[-_]?key|x[-_]auth(?!or)|(^|[-_])jwt([-_]|$))/i;

/** Returns whether a variable, header, or field of this name is secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** Returns the names of variables that contain the user's secrets, judged by name and value. */
export function secretVariablesOf(env: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    // Searching for `true`, a number, or a file path would hide ordinary text.
    const isPlace = /(file|path|dir|home|sock|credentials)$/i.test(name) && /^([~/]|[a-z]:[\\/])/i.test(value);
    return isSecretName(name) && !isPlace && !/^([a-z]{0,11}|\d{0,9})$/i.test(value) ? [name] : [];
  });
}

// All of these expressions take linear time: repetitions are bounded, or start where the preceding text can't match. On
// long runs of letters, an open repetition would take quadratic time.

/**
 * Matches up to the value. The hidden part ends at the closing quote or the end of the line, because values contain
 * spaces.
 */
const wholeValue =
  /(\\{0,3}["'`])?(?<![\w-])(?:(?:proxy-)?authorization|(?:set-)?cookie2?|passphrase|x-[\w-]{0,40}?(?:auth(?!or)|key|token|secret)[\w-]{0,20})(?:\\{0,3}["'`])?[ \t]{0,3}[:=][ \t]{0,3}(\\{0,3}["'`])?(?:(?:basic|bearer|digest|negotiate|token)[ \t]+)?/gi;
const privateKey =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g;
const bearer = /\b(bearer)\s+(?:(?=\D{0,80}\d)[\w.~+/-]{6,}|[\w.~+/-]{16,})=*/gi;
const basic = /\b(basic)\s+([a-z0-9+/]{6,}={0,2})/gi;
const userInUrl = /\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#@:"']{0,200}:[^\s/?#@"']{1,200}@/gi;
const tokenInUrl = /\b(https?:\/\/)(?:(?=[^\s/?#@:"'\d]{0,200}\d)[^\s/?#@:"']{8,300}|[^\s/?#@:"']{16,300})@/gi;
const password =
  /((?<![\w-])[\w-]*(?:password|passwd)[\w-]{0,40}\\?["']?\s{0,3}[=:]\s{0,3})("[^"\n]{3,}"|'[^'\n]{3,}'|[^\s,;&"'`(){}[\]]{3,})/gi;
const assignment =
  /((?<![\w-])[\w-]*(?:token|api[-_]?key|secret|credential|(?:private|access|session)[-_]?key)[\w-]{0,40}\\?["']?\s{0,3}[=:]\s{0,3})("[^"\n]{6,}"|'[^'\n]{6,}'|[^\s,;&"'`(){}[\]]{6,})/gi;
const jwt = /(?<![\w-])eyJ[\w-]{5,}\.[\w-]{4,}(?:\.[\w-]*){0,3}/g;
/** Prefixes of well-known services' tokens, each with what distinguishes it from a word. */
const wellKnown = new RegExp(
  `\\b(?:${[
    'sk-[\\w-]{8,}',
    '(?:[sr]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,}',
    'gh[pousr]_\\w{16,}|github_pat_\\w{16,}',
    'gl(?:pat|dt|rt|cbt|ptt|ft|agent|oas|soat|imt)-[\\w-]{16,}',
    'xox[abeprs]-[\\w-]{8,}|xapp-[\\w-]{16,}',
    'AIza[\\w-]{20,}|ya29\\.[\\w-]{20,}|GOCSPX-[\\w-]{20,}',
    'A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{12,}',
    'npm_[A-Za-z0-9]{30,}|pypi-[\\w-]{30,}|rubygems_[a-f0-9]{30,}|dckr_(?:pat|oat)_[\\w-]{20,}',
    '(?:hf|gsk|r8)_[A-Za-z0-9]{30,}|(?:xai|pplx|nvapi)-[\\w-]{30,}',
    'SG\\.[\\w-]{16,}\\.[\\w-]{16,}|do[opr]_v1_[a-f0-9]{30,}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{30,}',
    'hv[sb]\\.[\\w-]{20,}|lin_api_\\w{30,}|figd_[\\w-]{30,}|ntn_[A-Za-z0-9]{30,}|tskey-[\\w-]{20,}',
    'AGE-SECRET-KEY-1[A-Z0-9]{30,}',
  ].join('|')})`,
  'g',
);

const value = `(?:"[^"\\n]{1,400}"|'[^'\\n]{1,400}'|[^\\s"'\`;|&]{1,400})`;
/** Secrets in commands, connection strings, and programs' files; the first group stays visible. */
const ofPrograms: readonly RegExp[] = [
  // curl and wget: hide only the part after the user name.
  /((?<![\w-])(?:-u|--user|--proxy-user)(?:[ \t]{1,3}|=)?["'][^\s:"'\\]{1,100}:)[^"'\n\\]{1,400}/g,
  /((?<![\w-])(?:-u|--user|--proxy-user)(?:[ \t]{1,3}|=)?\\{0,3}["']?(?!\d{1,10}:\d{1,10}(?!\w))[^\s:"'/\\]{1,100}:)[^\s"'\\]{1,400}/g,
  new RegExp(
    `((?<![\\w-])(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)\\b[^\\n|;&]{0,300}?[ \\t]-p)${value}`,
    'g',
  ),
  new RegExp(`((?<![\\w-])(?:sshpass[ \\t]{1,3}-p|redis-cli\\b[^\\n|;&]{0,300}?[ \\t]-a)[ \\t]{0,3})${value}`, 'g'),
  // Match only assignments, because test runners print counts such as `pass: 12`.
  new RegExp(
    `((?<![\\w-])(?:[\\w-]{0,60}[_-]pass\\\\?["']?[ \\t]{0,3}[=:][ \\t]{0,3}|pass=|(?:[\\w-]{0,60}_)?pwd=(?![/~"'.]|[a-z]:))\\\\{0,3})${value}`,
    'gi',
  ),
  /\b((?:account|sharedaccess)key=|sharedaccesssignature=)[^\s;&"']{4,400}/gi,
  /([?&;](?:sig|signature|x-amz-signature|x-goog-signature|x-amz-security-token)=)[^\s;&"'<>]{4,2000}/gi,
  // .netrc
  /\b((?:machine[ \t]{1,9}\S{1,200}|login[ \t]{1,9}\S{1,200}|default)\s{1,20}password[ \t]{1,9})\S{1,400}/g,
  // Docker's configuration
  /(\\{0,3}"auth\\{0,3}"\s{0,9}:\s{0,9}\\{0,3}")[A-Za-z0-9+/=_-]{6,2000}/g,
  /\b(https:\/\/hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/)[\w/-]{4,300}/gi,
  /\b(https:\/\/(?:ptb\.|canary\.)?discord(?:app)?\.com\/api\/(?:v\d{1,3}\/)?webhooks\/)[\w/-]{4,300}/gi,
  /\b(https:\/\/[\w-]{1,80}\.webhook\.office\.com\/|https:\/\/outlook\.office(?:365)?\.com\/webhook\/)[\w/@-]{4,400}/gi,
  /\b(https:\/\/api\.telegram\.org\/bot)[\w:-]{4,200}/gi,
];

/** Removes everything that looks like a secret from a text. */
export function redactText(text: string): string {
  const whole = hideWholeValues(text.includes('PRIVATE KEY') ? text.replace(privateKey, hidden) : text);
  return ofPrograms
    .reduce((rest, pattern) => rest.replace(pattern, `$1${hidden}`), whole)
    .replace(bearer, `$1 ${hidden}`)
    .replace(basic, (found, word: string, value: string) => (isUserAndPassword(value) ? `${word} ${hidden}` : found))
    .replace(userInUrl, `$1${hidden}@`)
    .replace(tokenInUrl, `$1${hidden}@`)
    .replace(password, `$1${hidden}`)
    .replace(assignment, `$1${hidden}`)
    .replace(jwt, hidden)
    .replace(wellKnown, hidden);
}

function hideWholeValues(text: string): string {
  let result = '';
  let done = 0;
  let lineEnd = -1;
  for (const found of text.matchAll(wholeValue)) {
    const start = found.index + found[0].length;
    // The match is part of the previous value.
    if (found.index < done) continue;
    // Searched for once per line, because a line may have many matches.
    if (lineEnd < start) lineEnd = text.indexOf('\n', start);
    if (lineEnd === -1) lineEnd = text.length;
    const end = endOfValue(text, start, lineEnd, found[2] ?? found[1]);
    if (end === start) continue;
    result += text.slice(done, start) + hidden;
    done = end;
  }
  return done === 0 ? text : result + text.slice(done);
}

function endOfValue(text: string, start: number, lineEnd: number, quote: string | undefined): number {
  const line = text.slice(start, lineEnd);
  const closed = quote === undefined ? -1 : line.indexOf(quote);
  return start + (closed === -1 ? line.trimEnd().length : closed);
}

/** Returns whether a text looks like the credentials after `Basic`, not an ordinary word. */
function isUserAndPassword(value: string): boolean {
  if (value.endsWith('=')) return true;
  const decoded = Buffer.from(value, 'base64').toString();
  return value.length >= 8 && decoded.includes(':') && !/[\p{Cc}\ufffd]/u.test(decoded);
}

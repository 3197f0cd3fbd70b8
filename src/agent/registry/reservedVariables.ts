/**
 * Variables that decide what programs run, where from, and who hears of it. An agent's entry in the registry may not set them:
 * the command that the user agrees to would not be the whole truth.
 */
const reserved = [
  /^(PATH|PATHEXT|COMSPEC|SHELL|ENV|BASH_ENV|ZDOTDIR|IFS|CDPATH|PROMPT_COMMAND)$/,
  /^(HOME|USER|LOGNAME|PWD|OLDPWD|TMPDIR|TEMP|TMP|USERPROFILE|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA|PROGRAMDATA)$/,
  /^(SYSTEMROOT|SYSTEMDRIVE|WINDIR|PSMODULEPATH|XDG_\w+)$/,
  /^(LD_|DYLD_|GLIBC_|VSCODE_|ELECTRON_|NPM_CONFIG_|UV_|PIP_|GIT_|SSH_)/,
  /^(NODE_(OPTIONS|PATH|EXTRA_CA_CERTS|TLS_REJECT_UNAUTHORIZED|REPL_\w+)|PERL5\w*|RUBY(OPT|LIB)|GEM_(HOME|PATH)|PYTHON(PATH|HOME|STARTUP|USERBASE|WARNINGS|BREAKPOINT)|CLASSPATH|_?JAVA_(TOOL_)?OPTIONS|JDK_JAVA_OPTIONS)$/,
  /^((HTTP|HTTPS|ALL|FTP|NO)_PROXY|SSL_CERT_(FILE|DIR)|SSLKEYLOGFILE|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE)$/,
];

/** The first of these variables that an entry of the registry may not set; undefined when it may set them all. */
export function reservedVariable(env: Readonly<Record<string, string>>): string | undefined {
  return Object.keys(env).find((name) => reserved.some((pattern) => pattern.test(name.toUpperCase())));
}

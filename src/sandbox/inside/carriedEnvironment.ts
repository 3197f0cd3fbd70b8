/** How an environment gets into a sandbox. */
export interface CarriedEnvironment {
  /** For the programs that make the sandbox. */
  readonly outer: Readonly<Record<string, string>>;
  /** Lines for the shell inside, which set the rest. */
  readonly inner: string;
}

const prefix = 'PARLEY_SANDBOX_';

/**
 * Splits a command's environment. The programs that make the sandbox run outside of it, so they get only what `trusted`
 * contains with the same value: `PATH` or `LD_PRELOAD` of an agent would otherwise decide what runs there. Other values
 * are carried under neutral names, and never on a command line, which all users of the machine can read.
 */
export function carriedEnvironment(
  trusted: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
): CarriedEnvironment {
  const outer: Record<string, string> = {};
  let inner = '';
  for (const [name, value] of Object.entries(env)) {
    if (trusted[name] === value) outer[name] = value;
    // No shell can export another name.
    else if (/^[A-Za-z_]\w*$/.test(name) && !name.startsWith(prefix)) {
      const carried = `${prefix}${Object.keys(outer).length}`;
      outer[carried] = value;
      inner += `export ${name}="$${carried}"; unset ${carried}; `;
    }
  }
  const { PATH: path } = trusted;
  if (path === undefined || outer['PATH'] !== undefined) return { outer, inner };
  return { outer: { ...outer, PATH: path }, inner: env['PATH'] === undefined ? `${inner}unset PATH; ` : inner };
}

const exact = /^\d+\.\d+[\w.+!-]*$/;

/**
 * Returns the package with an exact version: its own if it has one, otherwise `version`. A range or a tag such as
 * `latest` isn't a version.
 */
export function pinnedPackage(kind: 'npx' | 'uvx', name: string, version: string, cmd?: string): string {
  const { base, own, sign } = parts(name);
  if (exact.test(own)) return name;
  // uvx accepts `name@version` for the package's own program, and a requirement with `--from`.
  const isRequirement = kind === 'uvx' && (cmd !== undefined || base.includes('[') || sign === '==');
  return `${base}${isRequirement ? '==' : '@'}${version}`;
}

/** Returns the package that npx or uvx runs in its newest version; undefined if there is none, or it has a version. */
export function unpinnedPackage(command: string, args: readonly string[]): string | undefined {
  const program = (command.split(/[\\/]/).at(-1) ?? '').toLowerCase().replace(/\.(cmd|exe|bat)$/, '');
  const rest = /^(npm|pnpm|yarn|uv)$/.test(program)
    ? args.slice(/^(exec|x|dlx|tool)$/.test(args[0] ?? '') ? 1 : 0)
    : args;
  const runs = /^(npx|uvx|bunx|pnpx)$/.test(program) || rest.length < args.length;
  if (!runs) return undefined;
  const named = rest.findIndex((arg) => /^(-p|--package|--from)$/.test(arg));
  const joined = rest.find((arg) => /^(--package|--from)=/.test(arg))?.replace(/^[^=]*=/, '');
  const name = joined ?? (named < 0 ? rest.find((arg) => !arg.startsWith('-') && arg !== 'run') : rest[named + 1]);
  // A path or a URL is already exact.
  if (name === undefined || /^(\.|\/|~|[a-z+]+:)/i.test(name)) return undefined;
  return exact.test(parts(name).own) ? undefined : name;
}

function parts(name: string): { readonly base: string; readonly own: string; readonly sign: string } {
  const match = /^(.[^@=]*)(@|==)(.*)$/.exec(name);
  return { base: match?.[1] ?? name, sign: match?.[2] ?? '', own: match?.[3] ?? '' };
}

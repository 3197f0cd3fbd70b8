/** The values of a setting's variables in one place of use. */
export interface VariableContext {
  /** The value of `${workspaceFolder}`; absent if no folder is open. */
  readonly workspaceFolder?: string;
  readonly workspaceFolders: readonly { readonly name: string; readonly path: string }[];
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pathSeparator: string;
  /** Whether names of environment variables are case-sensitive; false on Windows. Defaults to true. */
  readonly envIsCaseSensitive?: boolean;
  /** The user's input, by the names in `${input:NAME}`. */
  readonly inputs?: Readonly<Record<string, string>>;
}

/** A text with its variables replaced, and the unknown variables as written. */
export interface ExpandedText {
  readonly text: string;
  readonly unknown: readonly string[];
}

/**
 * Replaces `${workspaceFolder}`, `${workspaceFolder:NAME}`, `${userHome}`, `${env:NAME}`, and `${pathSeparator}`. As in
 * VS Code, an unset environment variable is empty, and a variable's value isn't expanded again. Unknown variables stay
 * unchanged.
 */
export function expandVariables(text: string, context: VariableContext): ExpandedText {
  const unknown: string[] = [];
  const expanded = text.replace(/\$\{([^{}]*)\}/g, (written, inner: string) => {
    const value = valueOf(inner, context);
    if (value === undefined) unknown.push(written);
    return value ?? written;
  });
  return { text: expanded, unknown };
}

function valueOf(variable: string, context: VariableContext): string | undefined {
  const colon = variable.indexOf(':');
  const kind = colon < 0 ? variable : variable.slice(0, colon);
  const argument = colon < 0 ? undefined : variable.slice(colon + 1);
  switch (kind) {
    case 'workspaceFolder':
      if (argument === undefined) return context.workspaceFolder;
      return context.workspaceFolders.find((folder) => folder.name === argument)?.path;
    case 'env':
      return argument === undefined || argument === '' ? undefined : environmentValue(argument, context);
    case 'userHome':
      return argument === undefined ? context.userHome : undefined;
    case 'input':
      return argument === undefined ? undefined : context.inputs?.[argument];
    case 'pathSeparator':
      return argument === undefined ? context.pathSeparator : undefined;
    default:
      return undefined;
  }
}

function environmentValue(name: string, context: VariableContext): string {
  const exact = context.env[name];
  if (exact !== undefined || context.envIsCaseSensitive !== false) return exact ?? '';
  const upper = name.toUpperCase();
  return Object.entries(context.env).find(([key]) => key.toUpperCase() === upper)?.[1] ?? '';
}

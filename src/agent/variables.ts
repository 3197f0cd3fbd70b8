/** What the variables of a setting stand for in one place of use. */
export interface VariableContext {
  /** The folder that `${workspaceFolder}` means; absent when no folder is open. */
  readonly workspaceFolder?: string;
  readonly workspaceFolders: readonly { readonly name: string; readonly path: string }[];
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pathSeparator: string;
  /** Names of environment variables differ by more than case; false on Windows. True when absent. */
  readonly envIsCaseSensitive?: boolean;
  /** What the user entered, by the names that `${input:NAME}` uses. */
  readonly inputs?: Readonly<Record<string, string>>;
}

/** A text with its variables replaced, and the variables that have no meaning here, as they were written. */
export interface ExpandedText {
  readonly text: string;
  readonly unknown: readonly string[];
}

/**
 * Replaces `${workspaceFolder}`, `${workspaceFolder:NAME}`, `${userHome}`, `${env:NAME}` and `${pathSeparator}`. As in VS Code an
 * environment variable that is not set is empty, and what a variable brings in is not expanded again. Unknown ones stay as they are.
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

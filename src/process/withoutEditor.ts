/**
 * Returns variables that keep the commands of agents from opening an editor or asking about a package, and then waiting
 * where nobody looks. VS Code sets them for its own agents. Git takes `:` as an editor that changes nothing.
 */
export function withoutEditor(platform: NodeJS.Platform): Readonly<Record<string, string>> {
  const nothing = platform === 'win32' ? 'cmd.exe /d /c rem' : 'true';
  return {
    EDITOR: nothing,
    VISUAL: nothing,
    GIT_EDITOR: ':',
    GIT_SEQUENCE_EDITOR: ':',
    GIT_MERGE_AUTOEDIT: 'no',
    ...(platform === 'win32' ? {} : { DEBIAN_FRONTEND: 'noninteractive' }),
  };
}

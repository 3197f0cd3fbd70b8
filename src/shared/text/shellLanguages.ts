const shells = new Set([
  'bash',
  'sh',
  'shell',
  'zsh',
  'fish',
  'console',
  'shell-session',
  'shellsession',
  'terminal',
  'powershell',
  'pwsh',
  'ps1',
  'cmd',
  'bat',
  'batch',
]);

/** Returns whether a code block's language is one of a shell, so that its code can be run in a terminal. */
export function isShell(language: string): boolean {
  return shells.has(language.toLowerCase());
}

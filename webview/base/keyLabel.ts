/** Returns a key as its keyboard labels it. */
export function keyLabel(key: string, isMac: boolean): string {
  return isMac ? key.replace('Alt', 'Option').replace('Ctrl', 'Cmd') : key;
}

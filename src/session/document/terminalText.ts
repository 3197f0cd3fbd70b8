/** Escape sequences: strings such as titles and links, control sequences, and the short ones. */

const escapes = /\u001b(?:[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\[[0-?]*[ -/]*[@-~]?|[ -/]*[0-~]?)/g;
/** Control characters other than tabs and line breaks. */

const controls = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** Returns a command's output as plain text: without escape sequences, and with the last state of overwritten lines. */
export function terminalText(output: string): string {
  return output
    .replace(escapes, '')
    .replace(/\r+\n/g, '\n')
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\r', line.length - 2) + 1).replace(controls, ''))
    .join('\n')
    .trimEnd();
}

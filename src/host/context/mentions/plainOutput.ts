/** Sequences that end with their terminator: OSC, DCS, SOS, PM, and APC. */
const strings = /(?:\x1b[\]PX^_]|[\x90\x98\x9d\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c|$)/g;
/** Control sequences, and all other escape sequences. */
const sequences = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]/g;
const controls = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

/** Returns a terminal's output as plain text. Of a line that was written over, the last version is kept. */
export function plainOutput(output: string): string {
  return output
    .replace(strings, '')
    .replace(sequences, '')
    .replace(/\r+\n/g, '\n')
    .split('\n')
    .map((line) => line.slice(line.replace(/\r+$/, '').lastIndexOf('\r') + 1).replaceAll('\r', ''))
    .join('\n')
    .replace(controls, '');
}

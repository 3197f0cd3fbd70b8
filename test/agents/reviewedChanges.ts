import { join } from 'node:path';
import type { ModelRequest, ModelStep } from './modelServer.mjs';
import { tool } from './support';

const lines = (name: string) => Array.from({ length: 20 }, (_, at) => `${name} ${at + 1}\n`).join('');
export const before = { 'a.txt': lines('a'), 'b.txt': lines('b'), 'c.txt': lines('c') };
/** What Claude makes of them: two changes, one, and one by a command. */
export const after = {
  'a.txt': before['a.txt'].replace('a 2\n', 'a two\n').replace('a 15\n', 'a fifteen\n'),
  'b.txt': before['b.txt'].replace('b 9\n', 'b nine\nb nine and a half\n'),
  'c.txt': before['c.txt'].replace('c 5\n', 'c five\n'),
};
export type Name = keyof typeof before;
export const names = Object.keys(before) as Name[];

/** A model that makes these changes in a folder: two of them with a tool, and one by a command. */
export function changesFiles(request: ModelRequest, folder: string): ModelStep {
  const file_path = (name: Name) => join(folder, name);
  const write = (name: Name) => ({
    name: tool(request, 'Write'),
    input: { file_path: file_path(name), content: after[name] },
  });
  switch (request.rounds) {
    case 0:
      return {
        text: 'I read first.',
        calls: (['a.txt', 'b.txt'] as const).map((name) => ({
          name: tool(request, 'Read'),
          input: { file_path: file_path(name) },
        })),
      };
    case 1:
      return { calls: [write('a.txt')] };
    case 2:
      return { calls: [write('b.txt')] };
    case 3: {
      const command = `sed -i 's/^c 5$/c five/' '${file_path('c.txt')}'`;
      return { calls: [{ name: tool(request, 'Bash'), input: { command, description: 'Change a line' } }] };
    }
    default:
      return { text: 'All three are **changed**.' };
  }
}

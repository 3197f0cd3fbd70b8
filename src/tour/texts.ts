/** The tour's texts, in Markdown and in the agent's voice. */

export const welcome = [
  'Hello! I’m the **tour agent**. I’m a script, not a model, so I need no account and no network, and the tour is the',
  'same whatever you ask. Everything you see here works the same with Claude, Codex, Gemini, and every other agent',
  'that speaks the Agent Client Protocol.\n\n',
].join(' ');

export const planned = 'My **plan** is above the message box. I update it as I work.\n\n';

export const help = [
  'Here are my commands. Type `/` to list them:\n\n',
  '- `/tour` shows everything: a plan, reading, asking, editing, and running a command\n',
  '- `/tour files` only reads and edits a file\n',
  '- `/tour terminal` only runs a command\n',
  '- `/text` shows how text, tables, and code look\n',
].join('');

export const text = [
  '## Text\n\nAgents write *markdown*, and it appears as it’s written. Finished parts never move, so you can ',
  'select and copy while the rest is still streaming.\n\n',
  '1. Lists,\n2. `inline code`,\n3. and [links](https://agentclientprotocol.com), which VS Code asks about before opening them.\n\n',
  '| Key | What it does |\n| --- | --- |\n| Enter | sends |\n| Shift+Enter | starts a new line |\n| Up | brings back an earlier message |\n\n',
  '```ts\n// Your theme colors this code. Copy it, or insert it at the cursor in your editor.\n',
  'export function greet(name: string): string {\n  return `Hello, ${name}!`;\n}\n```\n\n',
  '> Nothing is loaded from the network: an image an agent links to stays a link.\n',
].join('');

export const beforeRead =
  'First I’ll **read a file** in this folder. I read through the editor, so I see your unsaved changes.\n\n';

export const beforeEdit = [
  'Now I’d like to **edit a file**. Agents ask first, in the chat, and show you the whole change. Nothing happens',
  'until you choose. Press `Ctrl+Enter` (`Cmd+Enter` on a Mac) to allow it.\n\n',
].join(' ');

export const afterEdit = (name: string): string =>
  [
    `Done. I changed \`${name}\` through your editor, and the change now waits for your **review**. Press \`Shift+Alt+G\``,
    '(`Ctrl+Cmd+G` on a Mac) to open the review page: there, `K` keeps a change, and `U` undoes it.\n\n',
  ].join(' ');

export const editRejected = (isNew: boolean): string =>
  `You declined, so ${isNew ? 'there is no new file' : 'the file is unchanged'}. Agents are told and continue from there.\n\n`;

export const beforeCommand =
  'Last, I’ll **run a command** in a real terminal. Watch it here, or open it as a terminal tab and type into it.\n\n';

export const commandRejected = 'OK, no command.\n\n';

export const afterCommand = (line: string, end: string): string => `\`${line}\` ${end}.\n\n`;

export const changedMeanwhile = (name: string): string =>
  `\`${name}\` has changed since you allowed the edit, so I’m leaving it alone.\n\n`;

export const noFile = 'There’s no text file in this folder yet, so there’s nothing to read.\n\n';

export const notRead = (name: string, cause: string): string => `I couldn’t read \`${name}\`: ${cause}\n\n`;

export const noTerminals = 'This client doesn’t run commands for agents, so I skipped that part of the tour.\n\n';

/** `name` is the file that the tour has written, if any. */
export const farewell = (name: string | undefined): string =>
  [
    'That’s the tour. What’s next?\n\n',
    ...(name === undefined
      ? []
      : [
          '- **Go back**: point at your message above and choose **Restore files to this point**.\n',
          `- **Review**: keep the change or undo it, with \`Shift+Alt+G\` and then \`K\` or \`U\`. \`${name}\` is yours now; delete it whenever you like.\n`,
        ]),
    '- To see every message we exchanged, run `Parley: Show Protocol Log`.\n',
  ].join('');

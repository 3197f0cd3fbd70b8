/** What the tour says. Markdown, in the agent's voice. */

export const welcome = [
  'Hello! I am the **tour agent**. I am a script and not a model, so I need no account and no network, and I give the',
  'same tour whatever you ask. Everything you see here works the same with Claude, Codex, Gemini and every other agent',
  'that speaks the Agent Client Protocol.\n\n',
].join(' ');

export const planned = 'Above the message box stands my **plan**. I keep it up to date while I work.\n\n';

export const help = [
  'I know these commands. Type `/` to see them listed:\n\n',
  '- `/tour` shows everything: a plan, reading, asking, editing, a command\n',
  '- `/tour files` only reads and edits a file\n',
  '- `/tour terminal` only runs a command\n',
  '- `/text` shows how text, tables and code look\n',
].join('');

export const text = [
  '## Text\n\nAgents write *markdown*, and it appears while it is written. Finished parts never move again, so you can ',
  'select and copy while the rest still streams.\n\n',
  '1. Lists,\n2. `inline code`,\n3. and [links](https://agentclientprotocol.com), which VS Code asks about before it opens them.\n\n',
  '| Key | What it does |\n| --- | --- |\n| Enter | sends |\n| Shift+Enter | starts a new line |\n| Up | brings back what you sent before |\n\n',
  '```ts\n// Code is coloured by your theme. Copy it, or put it at the cursor of your editor.\n',
  'export function greet(name: string): string {\n  return `Hello, ${name}!`;\n}\n```\n\n',
  '> Nothing is loaded from the network: an image that an agent links to stays a link.\n',
].join('');

export const beforeRead =
  'First I **read a file** of this folder. Reading through the editor means that I see what you have not saved yet.\n\n';

export const beforeEdit = [
  'Now I would like to **change a file**. Agents ask first, inside the chat and with the whole change in sight.',
  'Nothing happens until you choose. Press `1` or `2` with the focus in the question, or click.\n\n',
].join(' ');

export const afterEdit = (name: string): string =>
  `Done. \`${name}\` went through your editor: it is one step for **Undo**, and what you typed elsewhere in it stays.\n\n`;

export const editRejected = 'You said no, so the file stays as it was. Agents get told, and go on from there.\n\n';

export const beforeCommand =
  'Last, I **run a command**. It is a real terminal: watch it here, or open it as a terminal tab and type into it.\n\n';

export const commandRejected = 'No command then. That is fine, too.\n\n';

export const afterCommand = (line: string, end: string): string => `\`${line}\` ${end}.\n\n`;

export const changedMeanwhile = (name: string): string =>
  `Meanwhile \`${name}\` has changed, so I leave it as it is: what you allowed was another change.\n\n`;

export const noFile = 'This folder holds no text file yet, so there is nothing to read.\n\n';

export const notRead = (name: string, cause: string): string => `I could not read \`${name}\`: ${cause}\n\n`;

export const noTerminals = 'This client runs no commands for agents, so the tour leaves that part out.\n\n';

/** `name` is the file that the tour has written, if it has. */
export const farewell = (name: string | undefined): string =>
  [
    "That's the tour. What next?\n\n",
    '- **Add your own agent**: put it into the setting `parley.agents`, with the command that starts it.\n',
    ...(name === undefined ? [] : [`- The file \`${name}\` is yours now; delete it when you like.\n`]),
    '- `Parley: Show Protocol Log` shows every message that went between us.\n',
  ].join('');

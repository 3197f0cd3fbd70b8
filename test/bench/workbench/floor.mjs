// @ts-check
// The floor under every time in a window: an extension whose only page appends the raw text of each update.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inRoot } from '../../root.mjs';
import { ChatBench } from './chatBench.mjs';

const version = '1.0.0';

const manifest = {
  name: 'bench-floor',
  publisher: 'parley',
  version,
  engines: { vscode: '^1.106.0' },
  main: './extension.js',
  contributes: { commands: [{ command: 'benchFloor.open', title: 'Bench: Open Floor' }] },
};

/** The extension, with the host's least work: an update is parsed and posted. @param {string} node @param {string} agent */
const code = (node, agent) => `
const { spawn } = require('node:child_process');
const { createInterface } = require('node:readline');
const vscode = require('vscode');
exports.activate = (context) => {
  context.subscriptions.push(vscode.commands.registerCommand('benchFloor.open', () => {
    const panel = vscode.window.createWebviewPanel('benchFloor', 'Floor', vscode.ViewColumn.One, { enableScripts: true });
    panel.webview.html = ${JSON.stringify(page())};
    const agent = spawn(${JSON.stringify(node)}, [${JSON.stringify(agent)}]);
    panel.onDidDispose(() => agent.kill());
    let next = 0;
    const waiting = new Map();
    const ask = (method, params) => new Promise((resolve) => {
      next += 1;
      waiting.set(next, resolve);
      agent.stdin.write(JSON.stringify({ jsonrpc: '2.0', id: next, method, params }) + '\\n');
    });
    createInterface({ input: agent.stdout }).on('line', (line) => {
      const { id, result, params } = JSON.parse(line);
      if (id !== undefined) return waiting.get(id)?.(result);
      const { content, title, status } = params.update;
      panel.webview.postMessage({ text: content?.text, line: title ?? status });
    });
    const cwd = vscode.workspace.workspaceFolders[0].uri.fsPath;
    const session = ask('initialize', { protocolVersion: 1 }).then(() => ask('session/new', { cwd, mcpServers: [] }));
    panel.webview.onDidReceiveMessage(async (text) => {
      const { sessionId } = await session;
      await ask('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
      panel.webview.postMessage({ isOver: true });
    });
  }));
};
`;

function page() {
  return `<!doctype html><meta charset="utf-8"><input aria-label="Message"><div role="feed" data-floor aria-busy="false"></div>
<script>
const host = acquireVsCodeApi();
const feed = document.querySelector('[role=feed]');
const box = document.querySelector('input');
let fresh = [];
let block;
const draw = () => {
  for (const { text, line } of fresh.splice(0)) {
    if (text === undefined || block === undefined || block.textContent.length > 2000) {
      block = document.createElement('div');
      block.style.whiteSpace = 'pre-wrap';
      feed.append(block);
    }
    block.append(text ?? line);
    if (text === undefined) block = undefined;
  }
  scrollTo(0, document.body.scrollHeight);
};
box.addEventListener('keydown', ({ key }) => {
  if (key !== 'Enter') return;
  host.postMessage(box.value);
  box.value = '';
  feed.ariaBusy = 'true';
});
addEventListener('message', ({ data }) => {
  if (data.isOver) feed.ariaBusy = 'false';
  else if (fresh.push(data) === 1) requestAnimationFrame(draw);
});
</script>`;
}

/** Adds the floor to an extensions folder before its server starts. @param {string} extensionsFolder */
export async function addFloor(extensionsFolder) {
  const agent = inRoot('test/bench/workbench/benchAgent.mjs');
  await addExtension(extensionsFolder, manifest, code(process.execPath, agent));
}

/**
 * Adds an extension of one file to an extensions folder, before its server starts. Resolves to its folder.
 * @param {string} extensionsFolder @param {{ publisher: string, name: string, version: string }} manifest @param {string} code
 */
export async function addExtension(extensionsFolder, manifest, code) {
  const { publisher, version } = manifest;
  const id = `${publisher}.${manifest.name}`;
  const name = `${id}-${version}`;
  const folder = join(extensionsFolder, name);
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'extension.js'), code);
  const list = join(extensionsFolder, 'extensions.json');
  const known = JSON.parse(await readFile(list, 'utf8'));
  const location = { $mid: 1, path: folder, scheme: 'file' };
  known.push({ identifier: { id }, version, location, relativeLocation: name, metadata: {} });
  await writeFile(list, JSON.stringify(known));
  return folder;
}

/** The floor's page under the same measurements as the chat page. */
export class FloorBench extends ChatBench {
  /** @override */
  async newSession() {
    const { page } = this.workbench;
    await this.workbench.runCommand('View: Close All Editors');
    await this.workbench.runCommand('Bench: Open Floor');
    const until = Date.now() + 30_000;
    for (this.frame = undefined; !this.frame;) {
      if (Date.now() > until) throw new Error('The floor’s page didn’t open within 30 s.');
      for (const frame of page.frames()) {
        if (
          await frame
            .locator('input:has(+ [data-floor])')
            .isVisible()
            .catch(() => false)
        )
          this.frame = frame;
      }
    }
  }
}

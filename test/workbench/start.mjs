// @ts-check
// Builds Parley, installs it into a real VS Code server, and opens a copy of the sample workspace, until Ctrl+C.
// `--port N` selects the port.
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { inRoot, root } from '../root.mjs';
import { installPackages } from '../runner/steps.mjs';
import { run } from './run.mjs';
import { installedExtension } from './installed.mjs';
import { startServer } from './server.mjs';
import { unsupportedPlatform, vscodeServer } from './vscodeServer.mjs';

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
const port = Number(values.port);
if (!Number.isInteger(port) || port < 0 || port > 65535) fail(`--port takes a number, not "${values.port}".`);
if (unsupportedPlatform()) {
  fail(
    '"npm start" runs VS Code\'s server build, on Linux x64 only. Open this folder in VS Code and press F5 instead.',
  );
}

const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
await installPackages();
await vscodeServer(console.log);
console.log('Building Parley …');
await run(process.execPath, ['test/package.mjs'], { cwd: root });

const server = await startServer({ extensionsFolder: await installedExtension(), port });
try {
  const folder = await server.workspace(inRoot('test', 'workbench', 'sampleWorkspace'));
  console.log(`\nOpen this address in a browser, then run "Parley: Open Chat" (F1):\n\n  ${server.url(folder)}\n`);
  console.log(`The workspace is a copy in ${folder}; it is deleted when you stop with Ctrl+C.`);
  await Promise.race([interrupted, once(server.child, 'exit')]);
} finally {
  await server.stop({ graceMs: 3000 });
}
process.exit(0);

/**
 * @param {string} why
 * @returns {never}
 */
function fail(why) {
  console.error(why);
  process.exit(1);
}

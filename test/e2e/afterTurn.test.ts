import { inRoot } from '../root.mjs';
import { scene } from './harness';

const agents = { Told: { command: process.execPath, args: [inRoot('test', 'fixtures', 'agents', 'doesAsTold.mjs')] } };
const check = "process.exit(require('fs').readFileSync('total.ts', 'utf8').includes('wrong') ? 3 : 0)";

scene(
  'runs a command after a turn and sends its failure once',
  {
    agents,
    settings: { 'parley.afterTurn': { command: 'node check.cjs', sendFailures: 1 } },
    files: { 'total.ts': 'right\n', 'check.cjs': `console.log('The total is checked.');\n${check};\n` },
  },
  async ({ workbench, chat, openChat, screenshot }) => {
    await openChat();
    await chat.submit(JSON.stringify([{ write: workbench.file('total.ts'), text: 'wrong\n' }]));
    const sent = chat.page
      .locator('p')
      .filter({ hasText: /^After your changes, “node check\.cjs” failed with exit code 3\. Fix it\./ });
    await sent.waitFor();
    await chat.page.getByText('After the turn: node check.cjs').first().waitFor();
    await screenshot('after-turn');
    // The agent's next turn changes nothing, so nothing runs after it.
    await chat.submit(JSON.stringify([{ write: workbench.file('total.ts'), text: 'fine\n' }]));
    await chat.page.getByText('After the turn: node check.cjs').nth(1).waitFor();
  },
);

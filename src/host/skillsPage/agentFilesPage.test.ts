import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { format } from 'prettier';
import { knownAgents, type AgentFiles } from './agentFiles';

const cell = (files: readonly AgentFiles[]) =>
  files
    .map(({ path, kind, suffix = '.md', unless }) => {
      const name = kind === 'rules' ? `${path}/*${suffix}` : path;
      return `\`${name}\`${unless ? ` without ${unless.map((other) => `\`${other}\``).join(' and ')}` : ''}`;
    })
    .join(', ');

test('the page about agents has the table of what they read', async () => {
  const page = readFileSync('docs/agents.md', 'utf8');
  const [begin, end] = ['<!-- agent files: begin -->\n', '<!-- agent files: end -->'];
  const rows = knownAgents.map(({ name, version, files, takesImports }) => {
    const instructions = files.filter(({ kind }) => kind !== 'skills');
    const skills = files.filter(({ kind }) => kind === 'skills');
    return `| ${name} ${version} | ${cell(instructions)} | ${takesImports ? 'yes' : 'no'} | ${cell(skills)} |`;
  });
  const table = ['| agent | instructions and rules | imports | skills |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
  const before = page.slice(0, page.indexOf(begin) + begin.length);
  const expected = `${before}\n${(await format(table, { parser: 'markdown' })).trim()}\n\n${page.slice(page.indexOf(end))}`;
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync('docs/agents.md', expected);
  else assert.equal(page, expected);
});

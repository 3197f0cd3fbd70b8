import * as l10n from '@vscode/l10n';
import type { Finding } from './check';

/** Returns the state of a finding in a word. */
export function stateWord(state: Finding['state']): string {
  const words: Readonly<Record<Finding['state'], string>> = {
    ok: l10n.t('OK'),
    note: l10n.t('Note'),
    problem: l10n.t('Problem'),
    skipped: l10n.t('Skipped'),
  };
  return words[state];
}

/** Returns the findings as plain text: one paragraph for each, with its fix. */
export function reportText(findings: readonly Finding[]): string {
  return findings
    .map(({ name, state, summary, detail, fix }) => {
      const lines = [`${stateWord(state)} · ${name}: ${summary}`, `  ${detail}`];
      if (fix) lines.push(`  ${l10n.t('Fix: {0}', fixText(fix))}`);
      return lines.join('\n');
    })
    .join('\n\n');
}

function fixText(fix: NonNullable<Finding['fix']>): string {
  if (fix.kind === 'link') return `${fix.label}: ${fix.url}`;
  return fix.kind === 'copy' ? fix.line : fix.label;
}

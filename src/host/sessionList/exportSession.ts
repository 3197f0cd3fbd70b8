import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentPool } from '../../agent/pool/agentPool';
import type { ExportFormat } from '../../session/document/exportSession';
import { fromSnapshot } from '../../shared/transcript/ops';
import type { Transcript } from '../../shared/transcript/transcript';
import type { SessionKey } from '../../shared/values/ids';
import type { SessionStore } from '../sessions/stored/sessionStore';
import { pickOne } from '../ui/quickInput';
import { saveAs } from '../ui/saveAs';

interface FormatItem extends vscode.QuickPickItem {
  readonly format: ExportFormat;
  readonly extension: string;
}

/** Saves an open or stored session. Throws a sentence if it can't be read. */
export async function exportStored(
  { pool, sessions }: { readonly pool: Pick<AgentPool, 'sessions'>; readonly sessions: Pick<SessionStore, 'read'> },
  key: SessionKey,
): Promise<void> {
  const live = pool.sessions.find((session) => session.key === key);
  const stored = live ? undefined : await sessions.read(key);
  const transcript = live?.transcript ?? (stored && fromSnapshot(stored.snapshot));
  if (!transcript) throw new Error(l10n.t('Couldn’t read this session’s saved data.'));
  await exportTranscript(transcript);
}

/**
 * Saves a transcript as Markdown, HTML, or JSON, whole and with secrets redacted, where the user chooses. Asks for the
 * format, unless `wanted` is one.
 */
export async function exportTranscript(transcript: Transcript, wanted?: unknown): Promise<void> {
  const items = formats();
  const item =
    items.find(({ format }) => format === wanted) ??
    (await pickOne(items, {
      title: l10n.t('Export session'),
      placeHolder: l10n.t('Select a format'),
      matchOnDescription: true,
    }));
  if (!item) return;
  const { exportSession } = await import('../../session/document/exportSession');
  const text = exportSession(transcript, item.format, Date.now(), vscode.env.language);
  const name = `${fileName(transcript.view.title || transcript.view.agentName)}.${item.extension}`;
  await saveAs(name, new TextEncoder().encode(text), { [item.label]: [item.extension] });
}

function formats(): readonly FormatItem[] {
  return [
    {
      label: l10n.t('Markdown'),
      description: '.md',
      detail: l10n.t('To read or paste elsewhere'),
      format: 'markdown',
      extension: 'md',
    },
    {
      label: l10n.t('HTML'),
      description: '.html',
      detail: l10n.t('One page for a browser or a printer'),
      format: 'html',
      extension: 'html',
    },
    {
      label: l10n.t('JSON'),
      description: '.json',
      detail: l10n.t('For other programs'),
      format: 'json',
      extension: 'json',
    },
  ];
}

/** Returns a title as a name that every file system accepts. */
export function fileName(title: string): string {
  const name = title
    .replace(/[^\p{L}\p{N}._ -]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^\.+/, '')
    .slice(0, 60)
    .replace(/[. ]+$/, '');
  // Windows reserves these names, with any extension.
  return name === '' || /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(name) ? `session ${name}`.trim() : name;
}

import * as l10n from '@vscode/l10n';
import type { SavableBlock } from '../../shared/content';
import { saveAs } from '../ui/saveAs';
import { savedBytes, savedName } from './savedFile';

/** Saves content from an agent where the user chooses. Rejects with a sentence. */
export async function saveContent(block: SavableBlock): Promise<void> {
  const name = savedName(block);
  const bytes = savedBytes(block);
  if (!bytes) {
    throw new Error(l10n.t('The file “{0}” from the agent is corrupted. Ask the agent to send it again.', name));
  }
  await saveAs(name, bytes);
}

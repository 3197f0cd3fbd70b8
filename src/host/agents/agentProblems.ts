import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Disposable } from '../../shared/values/disposable';
import type { AgentCatalog } from './agentCatalog';
import { showWarning } from '../ui/notifications';

const shownKey = 'agentProblems.told';
/** Maximum number of sentences in a message. The log has all of them, and the rest are shown after these are fixed. */
const mostSentences = 3;

/** Reports problems in `parley.agents` and `parley.presets` to the user when they appear, and again only when they change. */
export class AgentProblems extends Disposable {
  private readonly catalog: Pick<AgentCatalog, 'problems' | 'problemSetting'>;
  private readonly memory: vscode.Memento;

  constructor(catalog: Pick<AgentCatalog, 'problems' | 'problemSetting' | 'onDidChange'>, memory: vscode.Memento) {
    super();
    this.catalog = catalog;
    this.memory = memory;
    this.register(catalog.onDidChange(() => void this.tell()));
    void this.tell();
  }

  private async tell(): Promise<void> {
    const { problems } = this.catalog;
    // Store only a hash, because an entry may contain secrets.
    const digest = problems.length === 0 ? undefined : createHash('sha256').update(problems.join('\n')).digest('hex');
    if (this.memory.get<string>(shownKey) === digest) return;
    // Not awaited, so that a change that follows is compared with this one.
    void this.memory.update(shownKey, digest);
    if (digest === undefined) return;
    const more = problems.length - mostSentences;
    const sentences = problems.slice(0, mostSentences);
    if (more > 0) sentences.push(l10n.t('And {0} more.', more));
    const openSettings = l10n.t('Open Settings');
    if ((await showWarning(sentences.join(' '), openSettings)) === openSettings) {
      await vscode.commands.executeCommand('workbench.action.openSettings', this.catalog.problemSetting);
    }
  }
}

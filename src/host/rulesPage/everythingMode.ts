import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import { Disposable } from '../../shared/disposable';
import type { SessionKey } from '../../shared/ids';
import type { AllowEverything } from '../permissions/allowEverything';
import type { RulePolicy } from '../permissions/policyFile';
import { StatusItem } from '../ui/labels';
import { askModal, showInformation } from '../ui/notifications';

/** The mode in which a session's requests are allowed: asks before it is turned on, and keeps it visible. */
export class EverythingMode extends Disposable {
  private readonly sessions: AllowEverything;
  private readonly policy: RulePolicy;
  private readonly isOpen: (session: SessionKey) => boolean;
  private readonly status = this.register(new StatusItem('parley.everything', l10n.t('Parley: Allow everything'), 89));

  constructor(sessions: AllowEverything, policy: RulePolicy, isOpen: (session: SessionKey) => boolean) {
    super();
    this.sessions = sessions;
    this.policy = policy;
    this.isOpen = isOpen;
    this.register(sessions.onDidChange(() => this.showStatus()));
  }

  /** Turns it on if the user confirms the warning. */
  async turnOn(session: Session): Promise<void> {
    if (this.sessions.isOnIn(session.key)) return;
    const refusal = this.refusal();
    if (refusal !== undefined) {
      void showInformation(refusal);
      return;
    }
    const { agentName } = session.transcript.view;
    const allow = l10n.t('Allow Everything');
    const detail = l10n.t(
      'Commands run and files change without asking you, with your permissions and also outside this workspace. Rules that reject or ask still apply. Destructive commands and changes to files that decide what runs still ask. It ends when the window reloads.',
    );
    const answer = await askModal(l10n.t('Allow everything {0} asks for in this session?', agentName), {
      detail,
      items: [allow],
    });
    // The folder may have lost its trust, and the session may have closed in the meantime.
    if (answer === allow && this.isOpen(session.key) && this.refusal() === undefined) this.sessions.turnOn(session.key);
  }

  turnOff(session: SessionKey): void {
    this.sessions.turnOff(session);
  }

  /** Turns it off in every session. */
  turnOffAll(): void {
    this.sessions.turnOffAll();
  }

  private refusal(): string | undefined {
    if (!vscode.workspace.isTrusted) return l10n.t('Allowing everything isn’t possible in Restricted Mode.');
    if (this.policy.takesEverything) return undefined;
    return l10n.t('Your organization doesn’t permit allowing everything.');
  }

  private showStatus(): void {
    void vscode.commands.executeCommand('setContext', 'parley.allowsEverything', this.sessions.isOn);
    if (!this.sessions.isOn) {
      this.status.hide();
      return;
    }
    const tooltip = l10n.t('Everything is allowed in a session. Click to turn it off');
    const label = { icon: 'warning', text: l10n.t('Allowing everything'), tooltip, isWarning: true };
    this.status.show(label, 'parley.stopAllowingEverything', []);
  }
}

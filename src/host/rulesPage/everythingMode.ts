import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import { assertNever } from '../../shared/values/assert';
import { Disposable } from '../../shared/values/disposable';
import type { SessionKey } from '../../shared/values/ids';
import type { SandboxMode } from '../../shared/limits/sandboxMode';
import type { AllowEverything } from '../permissions/allowEverything';
import type { RulePolicy } from '../permissions/policyFile';
import { StatusItem } from '../ui/labels';
import { askModal, showInformation } from '../ui/notifications';

/**
 * The mode in which a session's requests are allowed, in a sandbox those that stay inside: asks before it is turned on, and
 * keeps it visible.
 */
export class EverythingMode extends Disposable {
  private readonly sessions: AllowEverything;
  private readonly policy: RulePolicy;
  private readonly isOpen: (session: SessionKey) => boolean;
  /** Continues a session in a copy of its own. */
  private readonly useOwnCopy: (session: Session) => void;
  private readonly status = this.register(new StatusItem('parley.everything', l10n.t('Parley: Allow everything'), 89));

  constructor(
    sessions: AllowEverything,
    policy: RulePolicy,
    isOpen: (session: SessionKey) => boolean,
    useOwnCopy: (session: Session) => void,
  ) {
    super();
    this.useOwnCopy = useOwnCopy;
    this.sessions = sessions;
    this.policy = policy;
    this.isOpen = isOpen;
    this.register(sessions.onDidChange(() => this.showStatus()));
  }

  /** Turns it on if the user confirms the warning. */
  async turnOn(session: Session): Promise<void> {
    const { agentName, sandbox = 'off' } = session.transcript.view;
    if (this.sessions.freedomOf(session.key) !== undefined) return;
    const refusal = this.refusal();
    if (refusal !== undefined) {
      void showInformation(refusal);
      return;
    }
    const { question, detail, allow } = warningFor(sandbox, agentName);
    const ownCopy = l10n.t('Use Own Copy');
    const offers = canUseCopy(session) ? [ownCopy, allow] : [allow];
    const answer = await askModal(question, {
      detail: offers.length > 1 ? [detail, '', copyWords(agentName, ownCopy)].join('\n') : detail,
      items: offers,
    });
    if (answer === undefined) return;
    // The folder may have lost its trust, and the session may have closed or changed its sandbox in the meantime.
    if (!this.isOpen(session.key) || this.refusal() !== undefined) return;
    if ((session.transcript.view.sandbox ?? 'off') !== sandbox) return;
    if (answer !== ownCopy) {
      this.sessions.turnOn(session.key, sandbox);
      return;
    }
    this.useOwnCopy(session);
    if (session.transcript.view.sandbox === 'ownCopy') this.sessions.turnOn(session.key, 'ownCopy');
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
    const held = {
      icon: 'shield',
      text: l10n.t('Working freely'),
      tooltip: l10n.t('An agent works freely inside its sandbox. Click to turn it off'),
      isWarning: false,
    };
    const unheld = {
      icon: 'warning',
      text: l10n.t('Allowing everything'),
      tooltip: l10n.t('Everything is allowed in a session. Click to turn it off'),
      isWarning: true,
    };
    this.status.show(this.sessions.isHeld ? held : unheld, 'parley.stopAllowingEverything', []);
  }
}

/** Returns whether a session can continue in a copy of its own. A turn that is running would end. */
function canUseCopy({ transcript }: Session): boolean {
  const { sandbox, activity, place } = transcript.view;
  return process.platform !== 'win32' && sandbox !== 'ownCopy' && activity.state === 'idle' && place !== 'elsewhere';
}

function copyWords(agent: string, label: string): string {
  return l10n.t(
    'We recommend “{1}”: {0} starts again in its own copy of your files and works freely there. You bring its changes here when you want them.',
    agent,
    label,
  );
}

/** Returns what the user agrees to in a session with this sandbox. */
function warningFor(sandbox: SandboxMode, agentName: string) {
  if (sandbox === 'off') {
    return {
      question: l10n.t('Allow everything {0} asks for in this session?', agentName),
      detail: l10n.t(
        'Commands run and files change without asking you, with your permissions and also outside this workspace. Rules that reject or ask still apply. Destructive commands and changes to files that decide what runs still ask. It ends when the window reloads.',
      ),
      allow: l10n.t('Allow Everything'),
    };
  }
  return {
    question: l10n.t('Let {0} work freely inside its sandbox?', agentName),
    detail: [heldWords(sandbox), l10n.t('It ends when the window reloads or the sandbox changes.')].join(' '),
    allow: l10n.t('Work Freely'),
  };
}

function heldWords(sandbox: Exclude<SandboxMode, 'off'>): string {
  switch (sandbox) {
    case 'files':
      return l10n.t(
        'Commands run and files change without asking you, but only in the folders that the sandbox allows. Commands can reach every host. Rules that reject or ask still apply. Destructive commands, changes to files that decide what runs, and what the editor runs still ask.',
      );
    case 'filesAndNetwork':
      return l10n.t(
        'Commands run and files change without asking you, but only in the folders that the sandbox allows. Rules that reject or ask still apply. New hosts, destructive commands, changes to files that decide what runs, and what the editor runs still ask.',
      );
    case 'ownCopy':
      return l10n.t(
        'Commands run and files change without asking you, but only in the agent’s own copy of your files. Nothing comes to your folder before you bring it. Rules that reject or ask still apply. New hosts, destructive commands, and what the editor runs still ask.',
      );
    default:
      return assertNever(sandbox);
  }
}

import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import type { Fix } from '../../agent/setup/check';
import { reportText, stateWord } from '../../agent/setup/setupReport';
import { assertNever } from '../../shared/values/assert';
import { compact } from '../../shared/values/decodeValue';
import { Disposable } from '../../shared/values/disposable';
import type { AgentId } from '../../shared/values/ids';
import type { FromSetupTab, ListedPart, ToSetupTab } from '../../shared/pages/setUpTabs';
import type { Log } from '../log/log';
import type { PageTab } from '../pages/pageTab';
import { openReadOnly } from '../ui/readOnlyText';
import { reported } from '../ui/reported';
import type { CheckedPart, SetupCheck } from './setupCheck';
import type { SupportBundle } from './supportBundle';

export interface SetupTabServices {
  readonly setup: Pick<SetupCheck, 'run' | 'findings'>;
  readonly supportBundle: Pick<SupportBundle, 'show'>;
  readonly applyFix: (fix: Fix, agent: AgentId | undefined) => Promise<void>;
  readonly log: Log;
}

interface Running {
  readonly closed: AbortController;
  readonly enough: AbortController;
}

/** The tab of the setup. It lists the parts of a check as they are found, each with its one fix, and checks when the user asks for it. */
export class SetupTab extends Disposable implements PageTab<FromSetupTab> {
  private readonly services: SetupTabServices;
  private readonly post: (message: ToSetupTab) => void;
  private parts: readonly CheckedPart[] | undefined;
  private running: Running | undefined;

  constructor(services: SetupTabServices, post: (message: ToSetupTab) => void) {
    super();
    this.services = services;
    this.post = post;
    this.register({ dispose: () => this.running?.closed.abort() });
  }

  show(): void {
    const { parts, running } = this;
    const state = running ? 'checking' : parts ? 'checked' : 'unchecked';
    const canStopWaiting = running !== undefined && (parts ?? []).some(({ finding, soFar }) => !finding && soFar);
    this.post({ type: 'setup', shown: { state, canStopWaiting, parts: listed(parts ?? [], running === undefined) } });
  }

  /** Checks the setup, whatever is asked for: a check is all that it has. */
  reveal(): void {
    this.check();
  }

  receive(message: FromSetupTab): void {
    const { log, setup, supportBundle } = this.services;
    switch (message.type) {
      case 'checkSetup':
        this.check();
        return;
      case 'stopWaiting':
        this.running?.enough.abort();
        return;
      case 'fixSetup':
        reported(log, this.fix(message.name, message.fix));
        return;
      case 'showSetupText':
        reported(log, openReadOnly(l10n.t('Setup'), reportText(setup.findings)));
        return;
      case 'saveSupportBundle':
        reported(log, supportBundle.show());
        return;
      default:
        assertNever(message);
    }
  }

  private check(): void {
    if (this.running) return;
    const running = { closed: new AbortController(), enough: new AbortController() };
    this.running = running;
    this.parts = undefined;
    const changed = (parts: readonly CheckedPart[]) => {
      this.parts = parts;
      this.show();
    };
    const ended = () => {
      this.running = undefined;
      if (!this.isDisposed) this.show();
    };
    reported(
      this.services.log,
      this.services.setup.run(running.closed.signal, changed, running.enough.signal).finally(ended),
    );
  }

  /** The list may have changed since the page showed it, so that another fix would be at the same place. */
  private async fix(name: string, label: string): Promise<void> {
    const part = this.parts?.find((one) => one.name === name && one.finding?.fix?.label === label);
    const fix = part?.finding?.fix;
    if (fix) await this.services.applyFix(fix, part.agent);
  }
}

/** Problems come first once all are known. Before, nothing moves. */
function listed(parts: readonly CheckedPart[], isDone: boolean): readonly ListedPart[] {
  const order = ['problem', 'note', 'skipped', 'ok'];
  const rank = ({ finding }: CheckedPart) => order.indexOf(finding?.state ?? 'ok');
  const sorted = isDone ? [...parts].sort((one, other) => rank(one) - rank(other)) : parts;
  return sorted.map(({ name, finding, soFar }) => {
    const known = finding ?? soFar;
    if (!known) return { name, summary: l10n.t('Checking…'), detail: '' };
    const word = finding ? stateWord(known.state) : l10n.t('Checking…');
    return {
      name,
      summary: `${word} · ${known.summary}`,
      detail: known.detail.replaceAll(homedir(), '~'),
      ...compact({ state: finding?.state, fix: finding?.fix?.label }),
    };
  });
}

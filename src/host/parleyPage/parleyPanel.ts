import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { Disposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';
import {
  parleyTabs,
  type FromParleyPage,
  type FromTab,
  type ParleyTab,
  type ToParleyPage,
} from '../../shared/pages/parleyPage';
import { openPage } from '../pages/openPage';
import type { Log } from '../log/log';
import type { MakeTab, PageTab } from '../pages/pageTab';
import { reported } from '../ui/reported';

/** What the host has behind the tabs. Prompts and instructions come from one reading of the folder. */
type Part = Exclude<ParleyTab, 'prompts' | 'instructions'> | 'skills';

export type Parts = { readonly [Name in Part]: MakeTab<FromTab, ToParleyPage> };

const partOf = (tab: ParleyTab): Part => (tab === 'prompts' || tab === 'instructions' ? 'skills' : tab);

/** Which part a message is for. */
const receivers: { readonly [Type in FromTab['type']]: Part } = {
  addAgent: 'agents',
  startAgent: 'agents',
  useAgent: 'agents',
  logInAgent: 'agents',
  openProviders: 'agents',
  openTools: 'agents',
  openAgentSettings: 'agents',
  startPreset: 'presets',
  usePreset: 'presets',
  renamePreset: 'presets',
  deletePreset: 'presets',
  undoDeletePreset: 'presets',
  openPresetSettings: 'presets',
  checkSetup: 'setup',
  stopWaiting: 'setup',
  fixSetup: 'setup',
  showSetupText: 'setup',
  saveSupportBundle: 'setup',
  setFolder: 'skills',
  openFile: 'skills',
  createFrom: 'skills',
  usePrompt: 'skills',
  openPrompt: 'skills',
  newPrompt: 'skills',
  saveRule: 'rules',
  deleteRule: 'rules',
  undoDelete: 'rules',
  moveRule: 'rules',
  openSettings: 'rules',
  setRange: 'usage',
  exportCsv: 'usage',
  openPrices: 'usage',
  openBudget: 'usage',
};

export interface ParleyPanelNeeds {
  readonly extensionUri: vscode.Uri;
  readonly parts: Parts;
  readonly log: Log;
}

/** The page “Parley”, in an editor tab: what is set up once, and what agents used. A part exists from the first time that it is shown. */
export class ParleyPanel extends Disposable {
  private readonly make: Parts;
  private readonly log: Log;
  private readonly parts = new Map<Part, Promise<PageTab<FromTab>>>();
  private readonly panel: vscode.WebviewPanel;
  private readonly closed = this.register(new Emitter<void>());
  private isReady = false;
  private tab: ParleyTab = parleyTabs[0];
  /** What a command asked for before the page was ready. */
  private wanted: { readonly tab: ParleyTab; readonly entry: string } | undefined;
  readonly onDidClose = this.closed.event;

  constructor({ extensionUri, parts, log }: ParleyPanelNeeds, restored?: vscode.WebviewPanel) {
    super();
    this.log = log;
    this.make = parts;
    this.panel = openPage<FromParleyPage>(
      {
        extensionUri,
        viewType: 'parley.page',
        page: 'parley',
        title: l10n.t('Parley'),
        keepsText: true,
        receive: (message) => this.receive(message),
        closed: () => {
          this.closed.fire();
          this.dispose();
        },
      },
      restored,
    );
    this.register({
      dispose: () => [...this.parts.keys()].forEach((name) => this.use(name, (part) => part.dispose())),
    });
  }

  /** Shows the page, with this tab and this entry of it. */
  reveal(tab: ParleyTab = this.tab, entry = ''): void {
    this.panel.reveal();
    if (this.isReady) this.select(tab, entry);
    else this.wanted = { tab, entry };
  }

  private receive(message: FromParleyPage): void {
    switch (message.type) {
      case 'ready': {
        const { tab, entry } = this.wanted ?? { tab: this.tab, entry: '' };
        this.isReady = true;
        this.wanted = undefined;
        this.select(tab, entry);
        return;
      }
      case 'showTab': {
        const tab = parleyTabs.find((one) => one === message.tab);
        if (!tab) return;
        this.tab = tab;
        if (this.isReady) this.use(partOf(tab), (part) => part.show());
        return;
      }
      default:
        // A part that was never shown has nothing that a message could be about.
        if (Object.hasOwn(receivers, message.type) && this.parts.has(receivers[message.type]))
          this.use(receivers[message.type], (part) => part.receive(message));
    }
  }

  private select(tab: ParleyTab, entry: string): void {
    this.tab = tab;
    this.post({ type: 'tab', tab });
    this.use(partOf(tab), (part) => {
      part.show();
      if (entry !== '') part.reveal?.(entry);
    });
  }

  /** What is asked of a part happens in order, also while it is being loaded. */
  private use(name: Part, what: (part: PageTab<FromTab>) => void): void {
    const part = this.parts.get(name) ?? this.make[name]((message) => this.post(message));
    this.parts.set(name, part);
    reported(this.log, part.then(what));
  }

  private post(message: ToParleyPage): void {
    // A closed page needs no reply.
    if (!this.isDisposed) void this.panel.webview.postMessage(message);
  }
}

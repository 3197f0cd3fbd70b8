import { homedir, hostname, release, userInfo } from 'node:os';
import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { messageOf } from '../../shared/values/messageOf';
import type { AgentPool } from '../../agent/pool/agentPool';
import { secretVariablesOf } from '../../acp/base/redactText';
import { supportText } from '../../agent/setup/supportText';
import { scrubEnvironment } from '../../process/scrubEnvironment';
import { Disposable } from '../../shared/values/disposable';
import type { AgentCatalog } from '../agents/agentCatalog';
import { workspaceRoots } from '../base/folders';
import type { RememberedLog } from '../log/rememberedLog';
import type { Settings } from '../settings/settings';
import { showError, showInformation, withProgress } from '../ui/notifications';
import { saveAs } from '../ui/saveAs';
import { targetColumn } from '../ui/targetColumn';
import type { SetupCheck } from './setupCheck';

const scheme = 'parley-support';
const uri = vscode.Uri.from({ scheme, path: '/Parley support bundle.txt' });

export interface SupportBundleOptions {
  readonly version: string;
  readonly check: Pick<SetupCheck, 'findings' | 'secrets' | 'run'>;
  readonly settings: Pick<Settings, 'forSupport'>;
  readonly log: Pick<RememberedLog, 'lines'>;
  readonly pool: Pick<AgentPool, 'traffic'>;
  readonly catalog: Pick<AgentCatalog, 'all'>;
}

/** Shows the support bundle as a read-only document, and saves it only after the user could read it. */
export class SupportBundle extends Disposable implements vscode.TextDocumentContentProvider {
  private readonly options: SupportBundleOptions;
  private readonly changed = this.register(new vscode.EventEmitter<vscode.Uri>());
  private text = '';

  readonly onDidChange = this.changed.event;

  constructor(options: SupportBundleOptions) {
    super();
    this.options = options;
    this.register(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
  }

  provideTextDocumentContent(): string {
    return this.text;
  }

  /** Shows a new bundle and offers to save it. */
  async show(): Promise<void> {
    if (this.options.check.findings.length === 0 && !(await this.runCheck())) return;
    this.text = this.create();
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: false, viewColumn: targetColumn() });
    const save = l10n.t('Save…');
    const words = l10n.t('This is the support bundle. Nothing is saved or sent until you save it.');
    // Not awaited, because the user may read for a while.
    void showInformation(words, save).then((chosen) => (chosen === save ? this.save() : undefined));
  }

  /** Saves the bundle that is shown. If none is shown, shows one first. */
  async saveShown(): Promise<void> {
    if (vscode.window.activeTextEditor?.document.uri.scheme === scheme) return this.save();
    await this.show();
  }

  /** Checks the setup for the bundle. Resolves to false if the user cancels. */
  private async runCheck(): Promise<boolean> {
    const { check } = this.options;
    const place = {
      location: vscode.ProgressLocation.Notification,
      title: l10n.t('Checking setup'),
      cancellable: true,
    };
    return withProgress(place, async (_progress, token) => {
      const cancelled = new AbortController();
      token.onCancellationRequested(() => cancelled.abort());
      await check.run(cancelled.signal, () => undefined);
      return !cancelled.signal.aborted;
    });
  }

  private async save(): Promise<void> {
    const bytes = new TextEncoder().encode(this.text);
    try {
      await saveAs('parley-support.txt', bytes, { [l10n.t('Text')]: ['txt'] });
    } catch (error) {
      void showError(l10n.t('Couldn’t save the support bundle: {0}', messageOf(error)));
    }
  }

  private create(): string {
    const { version, check, settings, log, pool, catalog } = this.options;
    return supportText(
      {
        versions: {
          Parley: version,
          'VS Code': `${vscode.version} (${vscode.env.appName}, ${vscode.env.appHost})`,
          Node: process.versions.node,
          'Operating system': `${process.platform} ${release()} ${process.arch}`,
          Remote: vscode.env.remoteName ?? 'none',
          Language: vscode.env.language,
          'Workspace trusted': String(vscode.workspace.isTrusted),
        },
        settings: settings.forSupport,
        findings: check.findings,
        log: log.lines,
        traffic: pool.traffic,
        agentNames: [
          ...new Set([...catalog.all.map(({ name }) => name), ...pool.traffic.map(({ agentName }) => agentName)]),
        ],
      },
      {
        secrets: [...check.secrets, ...secretsOfProcess()],
        home: homedir(),
        userName: userName(),
        host: hostname(),
        folders: workspaceRoots(),
      },
    );
  }
}

function secretsOfProcess(): readonly string[] {
  const env = scrubEnvironment(process.env);
  return secretVariablesOf(env).map((name) => env[name] ?? '');
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // The user database has no entry, as in some containers.
    return basename(homedir());
  }
}

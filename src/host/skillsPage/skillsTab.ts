import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { assertNever } from '../../shared/values/assert';
import { Disposable, DisposableStore } from '../../shared/values/disposable';
import type { FromSkillsPage, SkillsShown, ToSkillsPage } from '../../shared/pages/skillsPage';
import { showHiddenOnOneLine } from '../../shared/text/visibleText';
import { Coalesced } from '../base/coalesce';
import type { Log } from '../log/log';
import type { PageTab } from '../pages/pageTab';
import { mostBytes, mostPrompts, type PromptProblem } from '../prompts/promptFolder';
import type { PromptLibrary } from '../prompts/promptLibrary';
import { reported } from '../ui/reported';
import { targetColumn } from '../ui/targetColumn';
import { knownAgents } from './agentFiles';
import { createFrom } from './createFrom';
import { readInstructions } from './readInstructions';

export interface SkillsTabServices {
  readonly library: PromptLibrary;
  /** Puts a prompt into the message being typed. */
  readonly usePrompt: (id: string) => void;
  readonly newPrompt: () => void;
  readonly log: Log;
}

/** What the tabs of prompts and of instructions show, of one workspace folder at a time. */
export class SkillsTab extends Disposable implements PageTab<FromSkillsPage> {
  private readonly services: SkillsTabServices;
  private readonly post: (message: ToSkillsPage) => void;
  private readonly soon = this.register(new Coalesced(() => this.update(), 100));
  private watchers: DisposableStore | undefined;
  private folder = 0;
  private shown: SkillsShown | undefined;

  constructor(services: SkillsTabServices, post: (message: ToSkillsPage) => void) {
    super();
    this.services = services;
    this.post = post;
    this.register({ dispose: () => this.watchers?.dispose() });
    this.register(services.library.onDidChange(() => this.soon.request()));
    this.register(vscode.workspace.onDidChangeWorkspaceFolders(() => this.showFolder(0)));
  }

  show(): void {
    this.showFolder(this.folder);
  }

  receive(message: FromSkillsPage): void {
    const { usePrompt, newPrompt, log, library } = this.services;
    switch (message.type) {
      case 'setFolder':
        this.showFolder(message.folder);
        return;
      case 'openFile':
        if (this.root !== undefined && this.isListed(message.path)) this.open(join(this.root, message.path));
        return;
      case 'createFrom': {
        const agent = knownAgents.find(({ id }) => id === message.agent);
        if (agent && this.root !== undefined) {
          reported(
            log,
            createFrom(this.root, agent).then(() => this.soon.request()),
          );
        }
        return;
      }
      case 'usePrompt':
        usePrompt(message.id);
        return;
      case 'openPrompt': {
        const open = async () => {
          if ((await library.listings()).some(({ id }) => id === message.id)) this.open(message.id);
        };
        reported(log, open());
        return;
      }
      case 'newPrompt':
        newPrompt();
        return;
      default:
        assertNever(message);
    }
  }

  private get root(): string | undefined {
    return folders()[this.folder]?.uri.fsPath;
  }

  private isListed(path: string): boolean {
    const { agents = [], skills = [] } = this.shown ?? {};
    return [...agents.flatMap(({ files }) => files), ...skills].some((one) => one.path === path);
  }

  private open(path: string): void {
    const options = { viewColumn: targetColumn(), preview: true };
    reported(this.services.log, vscode.window.showTextDocument(vscode.Uri.file(path), options));
  }

  private showFolder(folder: number): void {
    this.folder = folders().some((_, index) => index === folder) ? folder : 0;
    this.watch();
    this.update();
  }

  private update(): void {
    reported(this.services.log, this.send());
  }

  private async send(): Promise<void> {
    const { root, folder } = this;
    const { library } = this.services;
    const found = root === undefined ? { agents: [], skills: [] } : await readInstructions(root);
    const places = await library.read();
    // Another folder was chosen in the meantime.
    if (root !== this.root) return;
    const refused = places.flatMap(({ problems, skipped, path }) => [
      ...problems.map((one) => ({ name: nameOf(one.path), reason: problemWords(one.problem) })),
      ...(skipped === 0
        ? []
        : [{ name: nameOf(path), reason: l10n.t('{0} files after the first {1}', skipped, mostPrompts) }]),
    ]);
    const names = folders().map(({ name }) => showHiddenOnOneLine(name));
    this.shown = { folders: names, folder, ...found, prompts: await library.listings(), refused };
    this.post({ type: 'skills', shown: this.shown });
  }

  private watch(): void {
    this.watchers?.dispose();
    this.watchers = undefined;
    const { root } = this;
    if (root === undefined) return;
    const watchers = new DisposableStore();
    this.watchers = watchers;
    const paths = new Set(
      knownAgents.flatMap(({ files }) => files.map(({ kind, path }) => (kind === 'file' ? path : `${path}/**`))),
    );
    const pattern = new vscode.RelativePattern(vscode.Uri.file(root), `{${[...paths].join(',')}}`);
    const watcher = watchers.add(vscode.workspace.createFileSystemWatcher(pattern));
    for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete])
      watchers.add(event(() => this.soon.request()));
  }
}

function folders(): readonly vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
}

function nameOf(path: string): string {
  return showHiddenOnOneLine(path.replaceAll('\\', '/').split('/').slice(-3).join('/'));
}

function problemWords(problem: PromptProblem): string {
  switch (problem) {
    case 'link':
      return l10n.t('a link');
    case 'name':
      return l10n.t('hidden characters in the name');
    case 'size':
      return l10n.t('larger than {0} KB', mostBytes / 1024);
    case 'binary':
      return l10n.t('not text in UTF-8');
    case 'empty':
      return l10n.t('without text');
    case 'unreadable':
      return l10n.t('unreadable');
    default:
      return assertNever(problem);
  }
}

import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import { asString, compact } from '../../shared/values/decodeValue';
import type { Prompt } from '../../shared/transcript/transcript';
import { tryNames, type Try } from '../../tries/tryGroup';
import { suggestBranch } from '../../worktree/repository/branchName';
import { copyAround } from '../../git/copyPlaces';
import { openSource } from '../../worktree/copy/copySource';
import { createCopy } from '../../worktree/copy/ownCopy';
import { commonOf } from './tryPlace';
import { createWorktree, suggestPlace, type CreatedWorktree } from '../../worktree/made/createWorktree';
import { removeWorktree } from '../../worktree/end/endWorktree';
import { branchNames, dirtyFiles, openRepository, type Repository } from '../../worktree/repository/repository';
import { listWorktrees, worktreeName } from '../../worktree/made/worktreeList';
import { lossOf } from '../../worktree/end/worktreeLoss';
import { warnUntrusted } from '../agents/trust';
import type { Log } from '../log/log';
import { folderOf, readArgument } from '../newSession/openNewSession';
import { pickFolder } from '../newSession/pickFolder';
import { createSession, type CreateServices } from '../sessions/start/createSession';
import type { ReadSettings } from '../settings/settingTable';
import { withProgress } from '../ui/notifications';
import { askText } from '../ui/quickInput';
import { ignoredAsBefore, rememberBrought, type BroughtTo } from '../worktrees/lastBrought';
import { tellProblem } from '../worktrees/tellProblem';
import { askForIgnored } from '../worktrees/worktreeQuestions';
import type { WorktreeSetup } from '../worktrees/worktreeSetup';
import { askForCheck, askForTries, type TryStart } from './tryQuestions';
import type { TryStore } from './tryStore';

export interface TryWithServices extends CreateServices {
  readonly settings: ReadSettings<'worktrees.folder' | 'worktrees.copyIgnored' | 'worktrees.setup'>;
  readonly setup: WorktreeSetup;
  readonly store: TryStore;
  /** Remembers the command that checked tries last. */
  readonly memory: vscode.Memento;
  readonly log: Log;
}

/** The key of the command that checked tries last. */
const checkKey = 'parley.tries.check';

/**
 * Starts several tries of one message, each in a worktree of its own. The argument is that of `parley.newSession`. Resolves to the id of the
 * group, or to undefined if the user cancels.
 */
export async function tryWith(
  services: TryWithServices,
  argument: unknown,
  typed?: Prompt,
): Promise<string | undefined> {
  if (!vscode.workspace.isTrusted) {
    await warnUntrusted();
    return undefined;
  }
  const given = readArgument(argument);
  try {
    const folder = await (given?.cwd === undefined ? pickFolder(() => services.scratch.path) : folderOf(given.cwd));
    if (folder === undefined) return undefined;
    const repository = await openRepository(folder);
    const prompt = typed ?? (await askForMessage(given?.prompt));
    if (!prompt) return undefined;
    const starts = await askForTries(services.catalog);
    if (!starts || starts.length === 0) return undefined;
    const command = await askForCheck(lastCheck(services.memory));
    if (command === undefined) return undefined;
    const ignored = await askForIgnored(repository, services.settings.get('worktrees.copyIgnored'), {
      title: l10n.t('Try with'),
      placeHolder: l10n.t('Select ignored files to copy for each try'),
    });
    if (!ignored) return undefined;
    await services.memory.update(checkKey, command);
    for (const start of starts) {
      await rememberBrought(services.memory, placeOf(services.pool, start), repository.root, { ignored });
    }
    const ignoredIn = { worktree: ignored, copy: ignored };
    return await begin(services, repository, prompt, { starts, command, ignoredIn });
  } catch (error) {
    tellProblem(services.log, error);
    return undefined;
  }
}

/** The same without questions: with the check and the ignored files of the last time. Rejects with the reason if it can't. */
export async function startTries(
  services: TryWithServices,
  folder: string,
  prompt: Prompt,
  starts: readonly TryStart[],
): Promise<string> {
  const { memory, settings } = services;
  const repository = await openRepository(folder);
  const asBefore = (to: BroughtTo) => ignoredAsBefore(memory, to, repository, settings.get('worktrees.copyIgnored'));
  const ignoredIn = { worktree: await asBefore('worktree'), copy: await asBefore('copy') };
  return begin(services, repository, prompt, { starts, command: lastCheck(memory), ignoredIn });
}

/** Returns the command that checked tries last. Empty if there was none. */
export function lastCheck(memory: Pick<vscode.Memento, 'get'>): string {
  return asString(memory.get(checkKey)) ?? '';
}

/** Asks for the command that checks the next tries. */
export async function changeCheck(memory: vscode.Memento): Promise<void> {
  const command = await askForCheck(lastCheck(memory));
  if (command !== undefined) await memory.update(checkKey, command);
}

/** The tries of one message. */
interface Tries {
  readonly starts: readonly TryStart[];
  /** Checks each of them. Empty for none. */
  readonly command: string;
  readonly ignoredIn: Readonly<Record<BroughtTo, readonly string[]>>;
}

async function askForMessage(given: string | undefined): Promise<Prompt | undefined> {
  if (given !== undefined && given.trim() !== '') return { text: given, attachments: [] };
  const text = await askText({
    title: l10n.t('Try with'),
    prompt: l10n.t('Each try starts with this message.'),
    placeHolder: l10n.t('Type a message'),
    ignoreFocusOut: true,
  });
  return text === undefined || text.trim() === '' ? undefined : { text, attachments: [] };
}

/** Returns where a try works: in a copy of its own if its agent is in a sandbox, to which a worktree would show the repository. */
function placeOf(pool: TryWithServices['pool'], { agent, preset }: TryStart): BroughtTo {
  const isHeld = process.platform !== 'win32' && (preset?.sandbox ?? pool.sandboxFor(agent)) !== 'off';
  return isHeld ? 'copy' : 'worktree';
}

/** Creates the worktrees. If one fails, removes those that are new, and nothing has changed. */
async function createAll(
  { settings, log, pool }: TryWithServices,
  repository: Repository,
  words: string,
  { starts, ignoredIn }: Tries,
): Promise<readonly CreatedWorktree[]> {
  const changes = await dirtyFiles(repository);
  const created: CreatedWorktree[] = [];
  try {
    for (const start of starts) {
      const place = placeOf(pool, start);
      const ignored = ignoredIn[place];
      if (place === 'copy') {
        const source = await openSource(join(repository.root, repository.below));
        created.push(await createCopy(source, ignored, Date.now()));
        continue;
      }
      const branch = suggestBranch(words, await branchNames(repository));
      const path = await suggestPlace(repository, settings.get('worktrees.folder'), branch);
      created.push(await createWorktree(repository, { base: undefined, branch, path, changes, ignored }, Date.now()));
    }
    return created;
  } catch (error) {
    for (const { record } of created) {
      const common = commonOf(repository, record);
      const listed = (await listWorktrees(common)).find(({ path }) => path === record.path);
      // Only what was brought along is there, and the user still has it.
      const removed = listed && removeWorktree(common, record, await lossOf({ record, listed }), true);
      await removed?.catch((problem: unknown) => log.warn(`Tries: ${String(problem)}`));
    }
    throw error;
  }
}

/** Creates the worktrees, and starts the tries in them. Resolves to the id of the group. */
async function begin(services: TryWithServices, repository: Repository, prompt: Prompt, all: Tries): Promise<string> {
  const created = await withProgress(
    { location: vscode.ProgressLocation.Notification, title: l10n.t('Setting up the tries') },
    () => createAll(services, repository, prompt.text, all),
  );
  return open(services, repository, prompt, all, created);
}

function open(
  services: TryWithServices,
  repository: Repository,
  prompt: Prompt,
  { starts, command }: Tries,
  created: readonly CreatedWorktree[],
): string {
  const { store, settings, setup } = services;
  const opened: { session: Session; one: Try; worktree: CreatedWorktree }[] = [];
  for (const [at, { agent, preset }] of starts.entries()) {
    const worktree = created[at];
    if (!worktree) continue;
    const held = copyAround(worktree.cwd) ? ({ sandbox: 'ownCopy' } as const) : {};
    const start = { ...(preset ? { preset } : { agent: agent.id }), ...held };
    const session = createSession(services, { ...start, cwd: worktree.cwd });
    if (!session) continue;
    const { record } = worktree;
    const one: Try = {
      session: session.key,
      agentName: agent.name,
      worktree: record.id,
      path: record.path,
      branch: record.branch,
      base: record.base,
      use: { ms: 0, costs: [] },
      taken: [],
      ...compact({ preset: preset?.name }),
    };
    opened.push({ session, one, worktree });
  }
  const tries = opened.map(({ one }) => one);
  const id = randomUUID();
  const { root, common, branch, head } = repository;
  store.put({
    id,
    createdAt: Date.now(),
    message: prompt.text,
    from: root,
    common,
    commit: head,
    tries,
    ...compact({ branch, check: command === '' ? undefined : command }),
  });
  const names = tryNames({ tries });
  for (const [at, { session, worktree }] of opened.entries()) {
    const others = names.filter((_, other) => other !== at);
    const { branch: own, path } = worktree.record;
    const isCopy = copyAround(worktree.cwd) !== undefined;
    const place = worktreeName(worktree.record);
    session.addNotice({
      severity: worktree.notes.length > 0 ? 'warning' : 'info',
      title: isCopy
        ? l10n.t('Try {0} of {1}, in the own copy “{2}”', at + 1, tries.length, place)
        : l10n.t('Try {0} of {1}, in “{2}”', at + 1, tries.length, place),
      description: [
        isCopy
          ? l10n.t('In {0}. Your own files stay as they are.', path)
          : l10n.t('Branch {0}, in {1}. Your own files stay as they are.', own, path),
        ...(others.length > 0
          ? [l10n.t('The others: {0}. Compare them with “Parley: Compare Tries…”.', others.join(', '))]
          : []),
        ...worktree.notes,
      ].join('\n'),
    });
    const setupCommand = settings.get('worktrees.setup').trim();
    if (setupCommand !== '') setup.run(session, setupCommand, worktree.record.from);
    session.sendPrompt(prompt.text, prompt.attachments);
  }
  return id;
}

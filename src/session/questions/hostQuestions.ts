import * as l10n from '@vscode/l10n';
import { natureOf, targetName, type HostNature, type HostTarget } from '../../shared/limits/hostTarget';
import { assertNever } from '../../shared/values/assert';
import type { ClientQuestion, PermissionRules } from '../services';
import type { Questions } from './questions';

/** Who decided about a connection. `nobody`: the question was withdrawn. */
export interface HostDecision {
  readonly isAllowed: boolean;
  readonly by: 'you' | 'rule' | 'nobody';
}

/** How many questions about a host a turn shows that nobody waits for anymore. */
const withdrawals = 3;

const nobody: HostDecision = { isAllowed: false, by: 'nobody' };

/** What a session's connections need of it. */
export interface HostNeeds {
  readonly questions: Pick<Questions, 'ask' | 'caseOfQuestion'>;
  readonly agentName: string;
  /** The number of the turn that is running or was the last one. */
  readonly turn: () => number;
  /** Whether nothing may be asked anymore, or while the turn is being stopped. */
  readonly isClosed: () => boolean;
}

/** An open question about a host, and the connections that wait for its answer. */
interface Shared {
  readonly decision: Promise<HostDecision>;
  readonly withdraw: AbortController;
  /** Whether it stays open without a connection. The answer then counts for the next one. */
  readonly isPatient: boolean;
  waiting: number;
}

/**
 * Asks in the chat whether the programs of a sandboxed agent may connect to a host. All connections to one host and port
 * share one question. Without a rule, an answer applies to the turn: programs connect many times.
 */
export class HostQuestions {
  private readonly needs: HostNeeds;
  private readonly open = new Map<string, Shared>();
  /** The user's answers in `countedIn`. */
  private readonly answers = new Map<string, boolean>();
  /** How often all connections to a host were closed before an answer, in `countedIn`. */
  private readonly unanswered = new Map<string, number>();
  private countedIn = 0;

  constructor(needs: HostNeeds) {
    this.needs = needs;
  }

  /**
   * Resolves when a rule or the user has decided, or `signal` says that the connection has ended. Unless `isAsked`, only a rule can allow it.
   */
  async decide(target: HostTarget, signal: AbortSignal, rules: PermissionRules, isAsked = true): Promise<HostDecision> {
    if (signal.aborted || this.needs.isClosed()) return nobody;
    const name = targetName(target);
    if (!isAsked) {
      const request = { ...this.needs.questions.caseOfQuestion(this.questionAbout(target, false)), host: target };
      const option = (await rules.answer(request))?.option;
      return option ? { isAllowed: option.kind === 'allow_once', by: 'rule' } : nobody;
    }
    const shared = this.open.get(name) ?? this.begin(name, target, rules);
    shared.waiting += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        resolve(nobody);
        shared.waiting -= 1;
        if (shared.waiting > 0) return;
        if (shared.isPatient) return;
        this.unanswered.set(name, (this.unanswered.get(name) ?? 0) + 1);
        // The next connection gets a question of its own, whatever becomes of this one.
        if (this.open.get(name) === shared) this.open.delete(name);
        shared.withdraw.abort();
      };
      signal.addEventListener('abort', leave, { once: true });
      shared.decision.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    });
  }

  private begin(name: string, target: HostTarget, rules: PermissionRules): Shared {
    this.renew();
    const withdraw = new AbortController();
    // A program that tries again and again must not fill the chat.
    const isPatient = (this.unanswered.get(name) ?? 0) >= withdrawals;
    const decision = this.ask(name, target, withdraw.signal, rules, isPatient).finally(() => {
      if (this.open.get(name) === shared) this.open.delete(name);
    });
    const shared: Shared = { decision, withdraw, isPatient, waiting: 0 };
    this.open.set(name, shared);
    return shared;
  }

  private async ask(
    name: string,
    target: HostTarget,
    signal: AbortSignal,
    rules: PermissionRules,
    isPatient: boolean,
  ): Promise<HostDecision> {
    const { questions, isClosed } = this.needs;
    const question = this.questionAbout(target, isPatient);
    const request = { ...questions.caseOfQuestion(question), host: target };
    // A rule may have been saved since the user answered, and wins.
    const judgment = await rules.answer(request);
    if (judgment?.option) return { isAllowed: judgment.option.kind === 'allow_once', by: 'rule' };
    if (isClosed() || signal.aborted) return nobody;
    this.renew();
    const known = this.answers.get(name);
    if (known !== undefined) return { isAllowed: known, by: 'you' };
    const chosen = await questions.ask(question, signal, { judgment, request });
    if (chosen === undefined) return nobody;
    const isAllowed = chosen === 'allow';
    this.renew();
    this.answers.set(name, isAllowed);
    return { isAllowed, by: 'you' };
  }

  private questionAbout(target: HostTarget, isPatient: boolean): ClientQuestion {
    return questionAbout(target, this.needs.agentName, isPatient);
  }

  /** Forgets what was counted in an earlier turn. */
  private renew(): void {
    const turn = this.needs.turn();
    if (this.countedIn === turn) return;
    this.countedIn = turn;
    this.answers.clear();
    this.unanswered.clear();
  }
}

function questionAbout(target: HostTarget, agentName: string, isPatient: boolean): ClientQuestion {
  const name = targetName(target);
  const waits = isPatient
    ? l10n.t('The program doesn’t wait for long. Your answer applies to its next connection.')
    : '';
  const notes = [natureWords(natureOf(target.host)), waits].filter((note) => note !== '');
  return {
    title: l10n.t('Connect to {0}', name),
    toolKind: 'fetch',
    content: [],
    locations: [],
    ...(isPatient ? {} : { isOfProgram: true }),
    asks: {
      question: l10n.t('{0} wants to connect to {1}', agentName, name),
      text: [name, ...notes].join('\n'),
    },
    options: [
      { optionId: 'allow', name: l10n.t('Allow for this turn'), kind: 'allow_once' },
      { optionId: 'reject', name: l10n.t('Reject'), kind: 'reject_once' },
    ],
  };
}

/** Returns what the user should know about a host; empty for an ordinary name. */
function natureWords(nature: HostNature): string {
  switch (nature) {
    case 'thisComputer':
      return l10n.t('This is a server on this computer.');
    case 'localNetwork':
      return l10n.t('This is in your local network.');
    case 'address':
      return l10n.t('This is an address without a name.');
    case 'otherAlphabet':
      return l10n.t('This name has letters of other alphabets. It can look like another name.');
    case 'name':
      return '';
    default:
      return assertNever(nature);
  }
}

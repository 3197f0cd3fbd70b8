import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Writable } from 'node:stream';
import { withOwnPath } from '../../process/ownProgram';
import { Disposable } from '../../shared/values/disposable';
import type { AwakeProgram, AwakeWhen } from './awakeProgram';

/** How often the power supply is looked at while a turn runs, in milliseconds. */
const lookMs = 30_000;

/** What keeping the computer awake needs. */
export interface AwakeNeeds {
  readonly when: () => AwakeWhen;
  readonly program: (when: Exclude<AwakeWhen, 'never'>) => AwakeProgram | undefined;
  /** Resolves to whether the computer is on mains power. Undefined if unknown. */
  readonly isOnMains: () => Promise<boolean | undefined>;
  readonly log: (line: string) => void;
}

/** The program reads only its input, to see it end. */
type AwakeProcess = ChildProcessByStdio<Writable, null, null>;

/** A running program, and the setting that it was started for. */
interface Helper {
  readonly child: AwakeProcess;
  readonly when: AwakeWhen;
}

/**
 * Keeps the computer awake while turns run, by a program that lives exactly as long. Without the program, or if it
 * fails, the computer sleeps as usual.
 */
export class Awake extends Disposable {
  private readonly needs: AwakeNeeds;
  private isWorking = false;
  private helper: Helper | undefined;
  private timer: ReturnType<typeof setInterval> | undefined;
  /** The program failed in this window, as where no user is logged in at the computer. */
  private hasFailed = false;
  private checks = 0;

  constructor(needs: AwakeNeeds) {
    super();
    this.needs = needs;
    this.register({ dispose: () => this.end() });
  }

  /** The process that keeps the computer awake. */
  get pid(): number | undefined {
    return this.helper?.child.pid;
  }

  /** Sets whether a turn is running. Also call it when the setting changed. */
  setWorking(isWorking: boolean): void {
    if (this.isDisposed) return;
    this.isWorking = isWorking;
    const when = this.needs.when();
    if (!isWorking || when === 'never') this.end();
    else void this.check(when);
  }

  private async check(when: Exclude<AwakeWhen, 'never'>): Promise<void> {
    const check = ++this.checks;
    const program = this.needs.program(when);
    if (!program || this.hasFailed) return;
    if (this.helper && this.helper.when !== when) this.stopHelper();
    const asksPower = when === 'onMains' && !program.knowsPower;
    if (asksPower) this.timer ??= setInterval(() => this.setWorking(this.isWorking), lookMs).unref();
    const may = !asksPower || (await this.needs.isOnMains()) === true;
    if (check !== this.checks || this.isDisposed) return;
    if (!may) this.stopHelper();
    else this.helper ??= { child: this.start(program), when };
  }

  private start({ program, args, env }: AwakeProgram): AwakeProcess {
    // What it starts itself is found there, too.
    const own = withOwnPath(env);
    const child = spawn(program, [...args], {
      env: own,
      stdio: ['pipe', 'ignore', 'ignore'],
      cwd: '/',
      windowsHide: true,
    });
    child.unref();
    // The pipe breaks when the program exits by itself.
    child.stdin.on('error', () => undefined);
    const failed = (reason: string) => {
      if (this.helper?.child !== child) return;
      this.helper = undefined;
      this.hasFailed = true;
      this.needs.log(`The computer isn't kept awake: ${reason}`);
    };
    child.on('error', (error) => failed(String(error)));
    child.on('exit', (code, signal) => failed(`${program} exited with ${String(code ?? signal)}`));
    return child;
  }

  private end(): void {
    this.checks += 1;
    clearInterval(this.timer);
    this.timer = undefined;
    this.stopHelper();
  }

  private stopHelper(): void {
    const { helper } = this;
    this.helper = undefined;
    if (!helper) return;
    // What systemd-inhibit runs ends with the input, and the program of macOS doesn't read its input.
    helper.child.stdin.end();
    helper.child.kill();
  }
}

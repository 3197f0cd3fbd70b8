import { spawn, type ChildProcess } from 'node:child_process';
import { findOwnProgram } from '../../process/ownProgram';
import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import { scrubEnvironment } from '../../process/scrubEnvironment';
import { Disposable, toDisposable, type IDisposable } from '../../shared/values/disposable';
import { showHiddenOnOneLine } from '../../shared/text/visibleText';

/** A notification of the operating system: what happened, and in which session. */
export interface OsNotice {
  readonly title: string;
  readonly body: string;
}

/** A program that shows a notification. Texts are arguments or variables, and there is never a shell. */
export interface NoticeProgram {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The program keeps running until the notification is gone, and writes a line when it is shown or clicked. */
  readonly stays: boolean;
}

/** Maximum number of characters of a title or body. */
const longest = 100;
/** How long a program may take to show a notification, in milliseconds. */
const patience = 5000;

/**
 * Returns a text that every system shows as it is: one line without control characters, markup, or a leading hyphen,
 * which programs could read as an option.
 */
export function noticeText(text: string): string {
  const plain = showHiddenOnOneLine(text)
    .replace(/\s+/g, ' ')
    .replace(/</g, '‹')
    .replace(/>/g, '›')
    .replace(/^[\s-]+/, '')
    .trim();
  const characters = Array.from(plain);
  return characters.length <= longest ? plain : `${characters.slice(0, longest - 1).join('')}…`;
}

/** Fills the two texts of a toast from the variables, so that nothing is ever part of the script. */
const toastScript = [
  '[Windows.UI.Notifications.ToastNotificationManager,Windows.UI.Notifications,ContentType=WindowsRuntime] | Out-Null',
  '$kind = [Windows.UI.Notifications.ToastTemplateType]::ToastText02',
  '$toast = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent($kind)',
  '$texts = $toast.GetElementsByTagName("text")',
  '$texts.Item(0).AppendChild($toast.CreateTextNode($env:PARLEY_TITLE)) | Out-Null',
  '$texts.Item(1).AppendChild($toast.CreateTextNode($env:PARLEY_BODY)) | Out-Null',
  '$app = "{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe"',
  '[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier($app).Show([Windows.UI.Notifications.ToastNotification]::new($toast))',
].join('; ');

const appleScript = [
  'on run argv',
  'display notification (item 2 of argv) with title "Parley" subtitle (item 1 of argv)',
  'end run',
];

/** Returns the programs that can show a notification, the best one first. */
export function noticePrograms(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  { title, body }: OsNotice,
): readonly NoticeProgram[] {
  const texts = [noticeText(title), noticeText(body)];
  const clean = scrubEnvironment(env);
  switch (platform) {
    case 'linux': {
      const options = ['--app-name=Parley'];
      const clickable = [...options, '--print-id', '--action=default=Show'];
      return [
        { program: 'notify-send', args: [...clickable, ...texts], env: clean, stays: true },
        // Before libnotify 0.8, there are no actions.
        { program: 'notify-send', args: [...options, ...texts], env: clean, stays: false },
      ];
    }
    case 'darwin': {
      const script = appleScript.flatMap((line) => ['-e', line]);
      return [{ program: '/usr/bin/osascript', args: [...script, ...texts], env: clean, stays: false }];
    }
    case 'win32': {
      const system = clean['SystemRoot'] ?? clean['SYSTEMROOT'] ?? 'C:\\Windows';
      const program = `${system}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`;
      const args = ['-NoProfile', '-NonInteractive', '-Command', toastScript];
      const [first = '', second = ''] = texts;
      return [{ program, args, env: Object.assign(clean, { PARLEY_TITLE: first, PARLEY_BODY: second }), stays: false }];
    }
    default:
      return [];
  }
}

/** Shows notifications of the operating system (docs/adr/0018). Every program that it starts ends with it. */
export class OsNotifier extends Disposable {
  private readonly platform: NodeJS.Platform;
  private readonly env: Readonly<Record<string, string | undefined>>;
  private readonly running = new Set<ChildProcess>();

  constructor(platform: NodeJS.Platform, env: Readonly<Record<string, string | undefined>>) {
    super();
    this.platform = platform;
    this.env = env;
    this.register(toDisposable(() => this.stopAll()));
  }

  /**
   * Shows a notification. Resolves to what withdraws it, or to undefined if this system can't show it. A click calls
   * `onClick`, where the system reports clicks.
   */
  async show(notice: OsNotice, onClick: () => void): Promise<IDisposable | undefined> {
    for (const program of noticePrograms(this.platform, this.env, notice)) {
      if (this.isDisposed) return undefined;
      const child = await this.run(program, onClick);
      if (child) return toDisposable(() => child.kill());
    }
    return undefined;
  }

  /** Resolves to the program once the notification is shown, or to undefined if it couldn't be. */
  private run({ program, args, env, stays }: NoticeProgram, onClick: () => void): Promise<ChildProcess | undefined> {
    const path = isAbsolute(program) ? program : findOwnProgram(program, { env: this.env });
    if (path === undefined) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
      const child = spawn(path, [...args], { env, stdio, cwd: homedir(), windowsHide: true });
      this.running.add(child);
      const timer = setTimeout(() => {
        child.kill();
        resolve(undefined);
      }, patience);
      const settle = (isShown: boolean) => {
        clearTimeout(timer);
        resolve(isShown ? child : undefined);
      };
      let written = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        const before = written;
        written = (written + text).slice(-1000);
        if (!stays) return;
        settle(true);
        if (!/^default$/m.test(before) && /^default$/m.test(written)) onClick();
      });
      child.on('error', () => {
        this.running.delete(child);
        settle(false);
      });
      child.on('close', (code) => {
        this.running.delete(child);
        settle(code === 0);
      });
    });
  }

  private stopAll(): void {
    for (const child of this.running) child.kill();
  }
}

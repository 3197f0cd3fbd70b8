import { scrubEnvironment } from '../../process/scrubEnvironment';

/** When the computer is kept awake for running turns. */
export type AwakeWhen = 'never' | 'onMains' | 'always';

/** A program that keeps the computer awake until its standard input ends, or the process that started it exits. */
export interface AwakeProgram {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Whether the program itself heeds the power supply. Otherwise, it may run only on mains power. */
  readonly knowsPower: boolean;
}

/**
 * Keeps the computer awake, checks the power supply every 30 s, and ends with its standard input. The display may turn
 * off.
 */
const windowsScript = (isAlways: boolean) =>
  [
    `$api = Add-Type -PassThru -Namespace Parley -Name Power -MemberDefinition '${[
      '[DllImport("kernel32.dll")] public static extern uint SetThreadExecutionState(uint flags);',
      '[DllImport("kernel32.dll")] public static extern bool GetSystemPowerStatus(byte[] status);',
    ].join(' ')}'`,
    '$status = New-Object byte[] 12',
    '$pipe = [Console]::OpenStandardInput()',
    '$end = $pipe.ReadAsync((New-Object byte[] 1), 0, 1)',
    isAlways ? '$isOn = { $true }' : '$isOn = { [void]$api::GetSystemPowerStatus($status); $status[0] -eq 1 }',
    // ES_CONTINUOUS, with ES_SYSTEM_REQUIRED or without.
    'do { $flags = if (& $isOn) { 2147483649 } else { 2147483648 }; [void]$api::SetThreadExecutionState($flags) } while (-not $end.Wait(30000))',
  ].join('; ');

/** Returns the program for this system, or undefined if there is none. It ends with the process `pid`. */
export function awakeProgram(
  platform: NodeJS.Platform,
  when: Exclude<AwakeWhen, 'never'>,
  pid: number,
  variables: Readonly<Record<string, string | undefined>>,
): AwakeProgram | undefined {
  const env = scrubEnvironment(variables);
  switch (platform) {
    case 'darwin':
      // -s counts on mains power only, and -i always. The end of the process is seen by the system, also after a crash.
      return {
        program: '/usr/bin/caffeinate',
        args: [when === 'always' ? '-i' : '-s', '-w', String(pid)],
        env,
        knowsPower: true,
      };
    case 'linux':
      return {
        program: 'systemd-inhibit',
        // cat exits when its input ends, as it does when the other end of the pipe is gone.
        args: ['--what=sleep:idle', '--who=Parley', '--why=An agent is working', '--mode=block', 'cat'],
        env,
        knowsPower: false,
      };
    case 'win32': {
      const system = env['SystemRoot'] ?? env['SYSTEMROOT'] ?? 'C:\\Windows';
      return {
        program: `${system}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`,
        args: ['-NoProfile', '-NonInteractive', '-Command', windowsScript(when === 'always')],
        env,
        knowsPower: true,
      };
    }
    default:
      return undefined;
  }
}

import { modeOption } from '../../src/shared/permissions/modes';
import type { Transcript } from '../../src/shared/transcript/transcript';

/** Derives an announcement for screen readers from a change of the session's mode. A snapshot isn't news. */
export class ModeNews {
  private mode: string | undefined;

  reset(transcript: Transcript | undefined): void {
    this.mode = currentMode(transcript);
  }

  /** Returns the option and its new value, such as "Mode: Plan", if the mode has changed. */
  follow(transcript: Transcript): string | undefined {
    const before = this.mode;
    this.mode = currentMode(transcript);
    return before === undefined || this.mode === before ? undefined : this.mode;
  }
}

function currentMode(transcript: Transcript | undefined): string | undefined {
  const option = modeOption(transcript?.view.configOptions ?? []);
  if (!option) return undefined;
  const chosen = option.choices.find(({ value }) => value === option.currentValue);
  return `${option.name}: ${chosen?.name ?? option.currentValue}`;
}

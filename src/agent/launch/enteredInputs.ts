import * as l10n from '@vscode/l10n';
import { SpawnFailure } from '../process/agentProcess';
import { inputsOf } from '../remote/remoteInputs';
import type { AgentSpec } from '../spec/agentSpec';

/** Resolves to a value that the user entered now or earlier; undefined if they enter none. */
export type AskInput = (name: string) => Promise<string | undefined>;

/** Resolves to the values of `${input:NAME}` in an agent's settings; rejects with a `SpawnFailure` if the user enters none. */
export async function enteredInputs(spec: AgentSpec, askInput: AskInput): Promise<Readonly<Record<string, string>>> {
  const inputs: Record<string, string> = {};
  for (const name of inputsOf(spec)) {
    const value = await askInput(name);
    if (value === undefined) {
      const message = l10n.t('{0} needs a value for “{1}”. Restart it to enter one.', spec.name, name);
      throw new SpawnFailure('other', '', message);
    }
    inputs[name] = value;
  }
  return inputs;
}

import { DisposableStore } from '../../shared/values/disposable';
import { Languages } from './languages';
import { SettledProblems } from './settledProblems';

/** The language services, which aren't needed before the first turn, or the first session with the editor's tools. */
export function lazyLanguages() {
  const parts = new DisposableStore();
  let languages: Languages | undefined;
  /** Always returns the same instance. */
  const get = () => (languages ??= parts.add(new Languages(parts.add(new SettledProblems(() => Date.now())))));
  return { get, dispose: () => parts.dispose() };
}

import type { SessionKey } from '../../shared/values/ids';
import { commandTable } from '../base/feature';
import { Attention, type AttentionOptions } from './attention';

/** Tells the user about sessions that aren't in sight. */
export function attentionFeature(needs: AttentionOptions) {
  const attention = new Attention(needs);
  const commands = commandTable({
    'parley.showSession': async (key) => {
      if (typeof key === 'string') await attention.show(key as SessionKey);
    },
  });
  return { messages: attention.handlers, commands, dispose: () => attention.dispose() };
}

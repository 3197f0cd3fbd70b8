import type { Log } from '../log/log';
import { inSession, type Handlers } from '../pages/handlers';
import { reported } from '../ui/reported';
import type { EverythingMode } from './everythingMode';
import type { RuleOfferServices } from './ruleOffers';

/** What the chat page's messages about rules need. */
export interface RuleMessageServices extends RuleOfferServices {
  readonly everything: Pick<EverythingMode, 'turnOn' | 'turnOff'>;
  readonly showRules: (id?: string) => void;
  readonly log: Log;
}

type RuleMessage = 'offerRules' | 'saveRule' | 'showRule' | 'allowEverything';

/** What judges rules is loaded with the first one. */
const offers = () => import('./ruleOffers');

/** Handlers for chat page messages about permission rules. */
export function ruleMessages(services: RuleMessageServices): Handlers<RuleMessage> {
  const { everything, showRules, log } = services;
  return {
    offerRules: inSession((session, { request, answer }, page) => {
      const asked = session.openCase(request);
      if (!asked) return;
      const send = async () => {
        page.post({ type: 'ruleOffer', request, offer: await (await offers()).offerFor(services, asked, answer) });
      };
      reported(log, send());
    }),
    saveRule: inSession((session, message, page) => {
      const { request } = message;
      const run = async () => {
        const sentence = await (await offers()).save(services, session, message);
        if (sentence !== undefined) page.post({ type: 'ruleProblem', request, sentence });
      };
      reported(log, run());
    }),
    showRule: (_page, { id }) => showRules(id),
    allowEverything: inSession((session, { isOn }) => {
      if (isOn) reported(log, everything.turnOn(session));
      else everything.turnOff(session.key);
    }),
  };
}

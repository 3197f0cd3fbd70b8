import type { Desk } from '../desk/desk';
import type { Wish } from './pageActions.mjs';

/** Uses what the editor itself shows, on the desk. */
export async function serveDesk(desk: Desk, { action, text = '', option = '', value = '' }: Wish): Promise<unknown> {
  const { inputs, notifications } = desk;
  switch (action) {
    case 'quickPick':
      return inputs.picks(text);
    case 'quickPickSees':
      return inputs.sees(text);
    case 'quickPickFilter':
      return inputs.filters(text);
    case 'quickPickTexts':
      return inputs.texts();
    case 'quickPickAccept':
      return inputs.accepts();
    case 'quickPickTitleButton':
      return inputs.presses(option);
    case 'quickPickButton':
      return inputs.pressesInList(text, option);
    case 'inputBox':
      return inputs.enters(text, value);
    case 'notification':
      return notifications.answers(text, option);
    default:
      throw new Error(`There is no ${action} on the desk.`);
  }
}

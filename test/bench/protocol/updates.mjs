// The updates, shared by both ends so that the receiver can check each.

/** Returns the text of the update at `index`. The whole line has about 200 bytes. */
export function updateText(index) {
  return `${index} streams into the chat with a few words more`;
}

/** Counts updates and detects the first one out of order. */
export class UpdateCheck {
  count = 0;
  wrong = undefined;

  receive(text) {
    if (this.wrong === undefined && text !== updateText(this.count)) this.wrong = `update ${this.count} was "${text}"`;
    this.count++;
  }

  /** Throws unless exactly `expected` updates arrived in order. */
  assertComplete(expected) {
    if (this.wrong !== undefined) throw new Error(this.wrong);
    if (this.count !== expected) throw new Error(`the prompt ended after ${this.count} of ${expected} updates`);
  }
}

// What the flood consists of, known to both ends so that the receiver can check every update.

/** Text of the update at `index`; with its envelope a line has about 200 bytes. */
export function updateText(index) {
  return `${index} streams into the chat with a few words more`;
}

/** Counts updates and notices the first one that is not the next in order. */
export class UpdateCheck {
  count = 0;
  wrong = undefined;

  receive(text) {
    if (this.wrong === undefined && text !== updateText(this.count)) this.wrong = `update ${this.count} was "${text}"`;
    this.count++;
  }

  /** Throws unless exactly `expected` updates came, in order. */
  assertComplete(expected) {
    if (this.wrong !== undefined) throw new Error(this.wrong);
    if (this.count !== expected) throw new Error(`the prompt ended after ${this.count} of ${expected} updates`);
  }
}

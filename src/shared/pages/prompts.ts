/** A prompt of the library: a text that the user saved to send it more than once. */
export interface PromptListing {
  /** Identifies it in answers to the host. */
  readonly id: string;
  /** The word after `/`. */
  readonly name: string;
  /** Empty if the file has none. */
  readonly title: string;
  readonly description: string;
  /** The workspace folder that it is from; empty for the user's own. */
  readonly folder: string;
}

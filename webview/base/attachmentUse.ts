/** What the user can do with the text of an attachment that is previewed, before it is sent. */
export interface AttachmentUse {
  /** Puts the text into the message instead. */
  readonly insert: () => void;
  /** Changes the text. Absent if it isn't the attachment's own, such as a file's. */
  readonly edit?: (text: string) => void;
}

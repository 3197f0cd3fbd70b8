/** The address of the attachment with the conversation before an edited message. No file has it. */
export const earlierConversationUri = 'attachment:///Earlier%20conversation.md';

import type { Transcript } from '../../shared/transcript/transcript';
import { documentHtml } from './documentHtml';
import { documentMarkdown } from './documentMarkdown';
import { exportedSession } from './exportedSession';

/** The format of an exported session; also the extension of its file, but for Markdown. */
export type ExportFormat = 'markdown' | 'html' | 'json';

/** Returns a whole session in a format, with secrets redacted. `now` is in milliseconds since the epoch. */
export function exportSession(transcript: Transcript, format: ExportFormat, now: number, language: string): string {
  const document = exportedSession(transcript, now);
  switch (format) {
    case 'markdown':
      return documentMarkdown(document);
    case 'html':
      return documentHtml(document, language);
    case 'json':
      return `${JSON.stringify(document, undefined, 2)}\n`;
  }
}

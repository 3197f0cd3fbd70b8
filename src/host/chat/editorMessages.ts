import * as vscode from 'vscode';
import { toolDetails } from '../../shared/pages/messages';
import type { Log } from '../log/log';
import { inSession, type Handlers } from '../pages/handlers';
import type { Settings } from '../settings/settings';
import { reported } from '../ui/reported';
import type { FoundPaths } from './foundPaths';
import * as editorActions from './editorActions';

type EditorMessage =
  | 'openLocation'
  | 'findPaths'
  | 'setToolDetail'
  | 'openDiff'
  | 'openLink'
  | 'insertAtCursor'
  | 'copyText'
  | 'showKeys'
  | 'pageError';

/** Handlers for chat page messages that concern the editor. */
export function editorMessages(
  log: Log,
  paths: Pick<FoundPaths, 'find'>,
  settings: Pick<Settings, 'setToolDetail'>,
): Handlers<EditorMessage> {
  return {
    findPaths: inSession((session, { paths: asked }, page) => {
      if (session.isElsewhere) {
        page.post({ type: 'foundPaths', session: session.key, asked, found: [] });
        return;
      }
      const answer = async () => {
        const found = await paths.find(session.transcript.view, asked);
        page.post({ type: 'foundPaths', session: session.key, asked, found });
      };
      reported(log, answer());
    }),
    openLocation: inSession((session, { path, ...place }) => {
      const { cwd, agentName } = session.transcript.view;
      if (session.isElsewhere) editorActions.sayElsewhere(path, agentName);
      else reported(log, editorActions.openLocation(cwd, path, place));
    }),
    openDiff: inSession((session, { toolCall, index }) =>
      reported(log, editorActions.openDiff(session, toolCall, index)),
    ),
    openLink: (_page, { href }) => reported(log, editorActions.openLink(href)),
    insertAtCursor: (_page, { text }) => reported(log, editorActions.insertAtCursor(text)),
    setToolDetail: (_page, { detail }) => {
      if (toolDetails.includes(detail)) reported(log, settings.setToolDetail(detail));
    },
    copyText: (_page, { text }) => reported(log, vscode.env.clipboard.writeText(text)),
    showKeys: () => reported(log, editorActions.showKeys()),
    pageError: (_page, { message }) => log.error(`Chat page: ${message}`),
  };
}

import type { EditorSession, EditorSessions } from '../../acp/dialect/dialect';
import { isResourceNotFound } from '../../acp/base/errors';
import type { FileService } from '../../session/services';
import type { AgentQuirks } from '../base/quirks';
import type { SessionRoute, SessionRoutes } from './sessionRoutes';

/** Serves the editor's files and terminals to the sessions of one agent. `quirks` is called at each request. */
export function editorSessions(routes: SessionRoutes, files: FileService, quirks: () => AgentQuirks): EditorSessions {
  const editorOf = ({ session, terminals }: SessionRoute): EditorSession => ({
    readTextFile: async (file, signal) => {
      try {
        return await files.readTextFile(session.context, file, signal);
      } catch (error) {
        if (quirks().missingFileReadsEmpty && isResourceNotFound(error)) return '';
        throw error;
      }
    },
    writeTextFile: (file, signal) => files.writeTextFile(session.context, file, signal),
    terminals,
  });
  return {
    serve: (params, serve) => routes.serve(params, (route) => serve(editorOf(route))),
    find: (params) => editorOf(routes.find(params)),
  };
}

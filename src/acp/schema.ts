/**
 * The protocol's types as the SDK generates them (https://agentclientprotocol.com/protocol/schema). Types only, and the
 * only file that names the SDK: nothing of it is there at run time.
 */
export type {
  AuthenticateRequest,
  AuthenticateResponse,
  CancelNotification,
  ClientCapabilities,
  CloseSessionRequest,
  CloseSessionResponse,
  CreateElicitationResponse,
  CreateTerminalResponse,
  DeleteSessionRequest,
  DeleteSessionResponse,
  InitializeRequest,
  InitializeResponse,
  KillTerminalResponse,
  ListSessionsRequest,
  ListSessionsResponse,
  LoadSessionRequest,
  LoadSessionResponse,
  LogoutRequest,
  LogoutResponse,
  McpServer,
  NewSessionRequest,
  NewSessionResponse,
  PromptRequest,
  PromptResponse,
  ReadTextFileResponse,
  ReleaseTerminalResponse,
  RequestPermissionResponse,
  ResumeSessionRequest,
  ResumeSessionResponse,
  SetSessionConfigOptionRequest,
  SetSessionConfigOptionResponse,
  SetSessionModeRequest,
  SetSessionModeResponse,
  StopReason,
  TerminalOutputResponse,
  WaitForTerminalExitResponse,
  WriteTextFileResponse,
} from '@agentclientprotocol/sdk/unstable';

/** `session/set_model`, gone from the schema but still spoken by several agents. */
export interface SetSessionModelRequest {
  sessionId: string;
  modelId: string;
}

/**
 * The protocol's types as generated for the SDK (https://agentclientprotocol.com/protocol/schema). Types only. No other
 * file imports the SDK, so nothing of it exists at run time.
 */
export type {
  ArchiveSessionRequest,
  ArchiveSessionResponse,
  AuthenticateRequest,
  AuthenticateResponse,
  AuthStatusRequest,
  AuthStatusResponse,
  CancelNotification,
  ClientCapabilities,
  CloseSessionRequest,
  CloseSessionResponse,
  CreateTerminalResponse,
  DeleteSessionRequest,
  DeleteSessionResponse,
  DisableProviderRequest,
  DisableProviderResponse,
  ForkSessionRequest,
  ForkSessionResponse,
  InitializeRequest,
  KillTerminalResponse,
  ListProvidersRequest,
  ListProvidersResponse,
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
  SessionStatusRequest,
  SessionStatusResponse,
  SetProviderRequest,
  SetProviderResponse,
  SetSessionConfigOptionRequest,
  SetSessionConfigOptionResponse,
  SetSessionModeRequest,
  SetSessionModeResponse,
  SetSessionTitleRequest,
  SetSessionTitleResponse,
  StopReason,
  TerminalOutputResponse,
  WaitForTerminalExitResponse,
  WriteTextFileResponse,
} from '@agentclientprotocol/sdk/unstable';

/** `session/set_model`, removed from the schema but still used by several agents. */
export interface SetSessionModelRequest {
  sessionId: string;
  modelId: string;
}

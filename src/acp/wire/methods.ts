import type { ElicitationResponse } from '../decode/decodeElicitation';
import type {
  ArchiveSessionRequest,
  ArchiveSessionResponse,
  AuthenticateRequest,
  AuthenticateResponse,
  AuthStatusRequest,
  AuthStatusResponse,
  CancelNotification,
  CloseSessionRequest,
  CloseSessionResponse,
  CreateTerminalResponse,
  DeleteSessionRequest,
  DeleteSessionResponse,
  DisableProviderRequest,
  DisableProviderResponse,
  ForkSessionRequest,
  ForkSessionResponse,
  KillTerminalResponse,
  ListProvidersRequest,
  ListProvidersResponse,
  ListSessionsRequest,
  ListSessionsResponse,
  LoadSessionRequest,
  LoadSessionResponse,
  LogoutRequest,
  LogoutResponse,
  MessageMcpNotification,
  MessageMcpResponse,
  NewSessionRequest,
  NewSessionResponse,
  PromptRequest,
  PromptResponse,
  ReadTextFileResponse,
  ReleaseTerminalResponse,
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
  SetSessionModelRequest,
  SetSessionTitleRequest,
  SetSessionTitleResponse,
  TerminalOutputResponse,
  WaitForTerminalExitResponse,
  WriteTextFileResponse,
} from '../schema';
import { notification, request } from '../base/method';

/**
 * Methods that the agent handles (https://agentclientprotocol.com/protocol/overview#agent). Their results are
 * unchecked.
 */
export const agentMethods = {
  /** The contents depend on the requested version. */
  initialize: request<object, unknown>('initialize'),
  authenticate: request<AuthenticateRequest, AuthenticateResponse>('authenticate'),
  logout: request<LogoutRequest, LogoutResponse>('logout'),
  // A draft that the SDK doesn't have yet.
  sessionOptions: request<object, unknown>('session/options'),
  newSession: request<NewSessionRequest, NewSessionResponse>('session/new'),
  loadSession: request<LoadSessionRequest, LoadSessionResponse>('session/load'),
  resumeSession: request<ResumeSessionRequest, ResumeSessionResponse>('session/resume'),
  listSessions: request<ListSessionsRequest, ListSessionsResponse>('session/list'),
  closeSession: request<CloseSessionRequest, CloseSessionResponse>('session/close'),
  deleteSession: request<DeleteSessionRequest, DeleteSessionResponse>('session/delete'),
  // Unstable, but supported by several agents.
  forkSession: request<ForkSessionRequest, ForkSessionResponse>('session/fork'),
  setTitle: request<SetSessionTitleRequest, SetSessionTitleResponse>('session/set_title'),
  archiveSession: request<ArchiveSessionRequest, ArchiveSessionResponse>('session/archive'),
  unarchiveSession: request<ArchiveSessionRequest, ArchiveSessionResponse>('session/unarchive'),
  authStatus: request<AuthStatusRequest, AuthStatusResponse>('auth/status'),
  prompt: request<PromptRequest, PromptResponse>('session/prompt'),
  cancel: notification<CancelNotification>('session/cancel'),
  /** Unstable: a message of an MCP server about an active request. */
  mcpMessage: notification<MessageMcpNotification>('mcp/message'),
  setMode: request<SetSessionModeRequest, SetSessionModeResponse>('session/set_mode'),
  setConfigOption: request<SetSessionConfigOptionRequest, SetSessionConfigOptionResponse>('session/set_config_option'),
  /** Removed from the schema, but older agents still offer models this way. */
  setModel: request<SetSessionModelRequest, unknown>('session/set_model'),
  /** A convention of some agents outside the schema: a message for the running turn. */
  steer: request<PromptRequest, unknown>('_session/steering'),
  // Also unstable. The traffic log redacts the secrets in these params.
  sessionStatus: request<SessionStatusRequest, SessionStatusResponse>('session/status'),
  listProviders: request<ListProvidersRequest, ListProvidersResponse>('providers/list'),
  setProvider: request<SetProviderRequest, SetProviderResponse>('providers/set'),
  disableProvider: request<DisableProviderRequest, DisableProviderResponse>('providers/disable'),
} as const;

/**
 * Methods that Parley handles (https://agentclientprotocol.com/protocol/overview#client). Their params come from the
 * agent and are unknown until they are decoded.
 */
export const clientMethods = {
  sessionUpdate: notification<unknown>('session/update'),
  requestPermission: request<unknown, object>('session/request_permission'),
  readTextFile: request<unknown, ReadTextFileResponse>('fs/read_text_file'),
  writeTextFile: request<unknown, WriteTextFileResponse | undefined>('fs/write_text_file'),
  createTerminal: request<unknown, CreateTerminalResponse>('terminal/create'),
  terminalOutput: request<unknown, TerminalOutputResponse>('terminal/output'),
  waitForTerminalExit: request<unknown, WaitForTerminalExitResponse>('terminal/wait_for_exit'),
  killTerminal: request<unknown, KillTerminalResponse | undefined>('terminal/kill'),
  releaseTerminal: request<unknown, ReleaseTerminalResponse | undefined>('terminal/release'),
  createElicitation: request<unknown, ElicitationResponse>('elicitation/create'),
  completeElicitation: notification<unknown>('elicitation/complete'),
  /** Unstable: a request to an MCP server that Parley serves. */
  mcpMessage: request<unknown, MessageMcpResponse>('mcp/message'),
  authStatusUpdate: notification<unknown>('auth/status_update'),
  /** A convention of agents that don't support the method above yet. */
  authStatusUpdateByConvention: notification<unknown>('_auth/status_update'),
} as const;

/** Methods that both sides send and handle (https://agentclientprotocol.com/protocol/cancellation). */
export const protocolMethods = {
  cancelRequest: notification<{ requestId: number | string }>('$/cancel_request'),
} as const;

/** The cancel method of vscode-jsonrpc. It isn't part of ACP and must never reach that library. */
export const foreignCancelMethod = '$/cancelRequest';

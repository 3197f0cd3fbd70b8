/**
 * The types of version 2 as generated for the SDK (https://agentclientprotocol.com/protocol/v2/schema). Types only, so
 * nothing of the SDK exists at run time.
 */
export type {
  CancelTerminalRequest,
  CancelTerminalResponse,
  CancelToolCallRequest,
  CancelToolCallResponse,
  ForkSessionRequest,
  ForkSessionResponse,
  InitializeRequest,
  LoginAuthRequest,
  LoginAuthResponse,
  LogoutAuthRequest,
  LogoutAuthResponse,
  McpServer,
  NewSessionRequest,
  NewSessionResponse,
  PromptRequest,
  PromptResponse,
  ResumeSessionRequest,
  ResumeSessionResponse,
  SetSessionConfigOptionRequest,
  SetSessionConfigOptionResponse,
} from '@agentclientprotocol/sdk/experimental/v2/unstable';

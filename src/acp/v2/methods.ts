import { request } from '../base/method';
import type {
  CancelTerminalRequest,
  CancelTerminalResponse,
  CancelToolCallRequest,
  CancelToolCallResponse,
  ForkSessionRequest,
  ForkSessionResponse,
  LoginAuthRequest,
  LoginAuthResponse,
  LogoutAuthRequest,
  LogoutAuthResponse,
  NewSessionRequest,
  NewSessionResponse,
  PromptRequest,
  PromptResponse,
  ResumeSessionRequest,
  ResumeSessionResponse,
  SetSessionConfigOptionRequest,
  SetSessionConfigOptionResponse,
} from './schema';

/** Methods of the agent that are new in version 2, or have other params there. All others are in `agentMethods`. */
export const methods = {
  logIn: request<LoginAuthRequest, LoginAuthResponse>('auth/login'),
  logOut: request<LogoutAuthRequest, LogoutAuthResponse>('auth/logout'),
  newSession: request<NewSessionRequest, NewSessionResponse>('session/new'),
  resumeSession: request<ResumeSessionRequest, ResumeSessionResponse>('session/resume'),
  // Unstable.
  forkSession: request<ForkSessionRequest, ForkSessionResponse>('session/fork'),
  prompt: request<PromptRequest, PromptResponse>('session/prompt'),
  setConfigOption: request<SetSessionConfigOptionRequest, SetSessionConfigOptionResponse>('session/set_config_option'),
  cancelToolCall: request<CancelToolCallRequest, CancelToolCallResponse>('tool_call/cancel'),
  cancelTerminal: request<CancelTerminalRequest, CancelTerminalResponse>('terminal/cancel'),
} as const;

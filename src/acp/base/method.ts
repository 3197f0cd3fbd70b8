/** A request method. `types` exists only for the compiler and is never set. */
export interface AcpRequest<P, R> {
  readonly method: string;
  readonly types?: (params: P) => R;
}

/** A notification method. `types` exists only for the compiler and is never set. */
export interface AcpNotification<P> {
  readonly method: string;
  readonly types?: (params: P) => void;
}

export function request<P, R>(method: string): AcpRequest<P, R> {
  return { method };
}

export function notification<P>(method: string): AcpNotification<P> {
  return { method };
}

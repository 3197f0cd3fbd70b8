/** Where the extension writes what a user or a maintainer may want to read later. Never holds secrets. */
export interface Log {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Server, type Socket } from 'node:net';

const { prototype: emitter } = EventEmitter;
const current = new AsyncLocalStorage<Socket>();

/**
 * Remembers for which connection to a server of this process code runs, from now on. The library's callback gets a host and a
 * port, and not the connection that waits for it.
 */
export function followConnections(): void {
  Server.prototype.emit = function (this: Server, event: string, ...args: readonly unknown[]): boolean {
    const next = () => emitter.emit.call(this, event, ...args);
    const socket = socketOf(event, args);
    return socket ? current.run(socket, next) : next();
  };
}

/** Returns the connection that an event of a server is about. */
function socketOf(event: string, [subject]: readonly unknown[]): Socket | undefined {
  if (event === 'request' || event === 'connect') return (subject as IncomingMessage).socket;
  if (event !== 'connection') return undefined;
  const socket = subject as Socket;
  // Protocols other than HTTP are read in its own events.
  socket.emit = (name: string, ...args: readonly unknown[]) =>
    current.run(socket, () => emitter.emit.call(socket, name, ...args));
  return socket;
}

/** Calls `listener` once the connection that this code runs for has closed, if there is one. Returns what stops that. */
export function onceClosed(listener: () => void): () => void {
  const socket = current.getStore();
  if (socket?.destroyed) listener();
  else socket?.once('close', listener);
  return () => socket?.off('close', listener);
}

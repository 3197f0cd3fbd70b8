declare module 'unbzip2-stream' {
  import type { Duplex } from 'node:stream';

  /** A stream that takes what bzip2 has compressed and gives what it was. */
  export default function unbzip2(): Duplex;
}

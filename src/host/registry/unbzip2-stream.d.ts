declare module 'unbzip2-stream' {
  import type { Duplex } from 'node:stream';

  /** Creates a stream that decompresses bzip2. */
  export default function unbzip2(): Duplex;
}

/** What is used of workerd's `node:zlib` (compatibility flag `nodejs_compat`). */
declare module "node:zlib" {
  interface Options {
    level?: number;
    dictionary?: Uint8Array;
    /** Throws where the output would be longer. */
    maxOutputLength?: number;
  }
  export function deflateRawSync(bytes: Uint8Array, options?: Options): Uint8Array;
  export function inflateRawSync(bytes: Uint8Array, options?: Options): Uint8Array;
}

/** Types of the functions that are used here; `@types/node` would add all of Node's globals. */
declare module "node:crypto" {
  export function timingSafeEqual(left: Uint8Array, right: Uint8Array): boolean;
  export function scrypt(
    password: string,
    salt: Uint8Array,
    length: number,
    options: { N: number; r: number; p: number; maxmem: number },
    done: (error: Error | null, key: Uint8Array) => void,
  ): void;
}

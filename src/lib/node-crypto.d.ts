/** Types of the one function that `hash.ts` needs; `@types/node` would add all of Node's globals. */
declare module "node:crypto" {
  export function timingSafeEqual(left: Uint8Array, right: Uint8Array): boolean;
}

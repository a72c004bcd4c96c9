/** The one function that `hash.ts` needs of Node's module in Workers; `@types/node` would bring all of Node's globals. */
declare module "node:crypto" {
  export function timingSafeEqual(left: Uint8Array, right: Uint8Array): boolean;
}

import common from "@ts-morph/common";

/** The compiler API of TypeScript 5, which openapi-typescript calls and TypeScript 7 does not have. */
export default common.ts;

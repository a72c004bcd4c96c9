import common from "@ts-morph/common";

/** The compiler API of TypeScript 5, which generators call and TypeScript 7 does not have. */
export default common.ts;

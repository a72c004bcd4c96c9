export { CentavoCharge } from "./charge.entity.ts";
export { centavoHandler } from "./handler.ts";
export type { CentavoPluginOptions } from "./options.ts";
export { CentavoPlugin } from "./plugin.ts";

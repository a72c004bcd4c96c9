import type { Api } from "../http/api.ts";
import { requireCaller } from "../http/auth/auth.ts";
import { messageBody } from "../http/body.ts";

/**
 * `/mcp`: the Model Context Protocol over Streamable HTTP, stateless, with the two headers of the API. What a program
 * may do here its application may do there: each tool calls a route.
 */
export function mcpServer(app: Api): void {
  app.all("/mcp", requireCaller(), messageBody, async (c) => {
    const { serveMcp } = await import("./server.ts");
    return serveMcp(c);
  });
}

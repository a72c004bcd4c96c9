import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { errorFields, log } from "../lib/log.ts";
import type { AppContext } from "../http/context.ts";
import { versionOf } from "../version.ts";
import { addReference } from "./reference.ts";
import { isRefused, toolsOf, type Tool } from "./tool.ts";
import { TOOLS } from "./tools.ts";

const INSTRUCTIONS =
  "Centavo is a Brazilian payment gateway. Amounts are centavos: R$ 25,00 is 2500. Days are those of America/Sao_Paulo. " +
  "Money leaves only by preview and then its act: show the preview to a person first. No tool approves anything.";

/** Answers one message with a server that knows its caller: the tools are those that its scopes allow. */
export async function serveMcp(c: AppContext): Promise<Response> {
  const traceId = c.get("traceId");
  const handler = createMcpHandler(() => serverFor(c), {
    onerror: (error) => log("warn", "mcp_message_refused", { ...errorFields(error), traceId }),
  });
  return handler.fetch(c.req.raw);
}

function serverFor(c: AppContext): McpServer {
  const { version } = versionOf(c.env);
  const server = new McpServer({ name: "centavo", version }, { instructions: INSTRUCTIONS });
  for (const tool of toolsOf(TOOLS, c.get("caller"))) add(server, tool, c);
  addReference(server, c);
  return server;
}

function add(server: McpServer, tool: Tool, c: AppContext): void {
  const { name, title, description, input, annotations, run } = tool;
  const config = { title, description, inputSchema: input, annotations };
  server.registerTool(name, config, async (given) => {
    const answer = await run(c, given);
    return {
      content: [
        { type: "text", text: JSON.stringify(isRefused(answer) ? answer.refused : answer) },
      ],
      ...(isRefused(answer) ? { isError: true } : { structuredContent: answer }),
    };
  });
}

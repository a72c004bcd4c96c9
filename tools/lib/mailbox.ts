import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** What the service sends (`src/api/emails/send.ts`). */
interface LocalEmail {
  to: string;
  subject: string;
  text: string;
  headers?: Record<string, string>;
}

/**
 * Takes the e-mails of a service on this machine, and writes each into a folder as `<time>-<number>.txt`. Answers the
 * URL to which they are posted; only programs of this machine reach it. The process does not wait for it.
 */
export async function openMailbox(folder: string): Promise<string> {
  let number = 0;
  const take = async (request: IncomingMessage) => {
    const email = JSON.parse(await bodyOf(request)) as LocalEmail;
    mkdirSync(folder, { recursive: true });
    const time = new Date().toISOString().replaceAll(":", "-");
    number += 1;
    writeFileSync(join(folder, `${time}-${number}.txt`), textOf(email), { mode: 0o600 });
  };
  const server = createServer((request, answer) => {
    take(request).then(
      () => answer.writeHead(204).end(),
      () => answer.writeHead(400).end(),
    );
  });
  await new Promise<void>((open) => server.listen(0, "127.0.0.1", open));
  server.unref();
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}/`;
}

function textOf({ to, subject, text, headers = {} }: LocalEmail): string {
  const head = Object.entries({ To: to, Subject: subject, ...headers });
  return `${head.map(([name, value]) => `${name}: ${value}`).join("\n")}\n\n${text}`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  return body;
}

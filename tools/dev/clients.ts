/**
 * `npm run clients`: writes the generated parts of the clients from the API's document, builds the TypeScript package and
 * packs it into `clients/typescript/dist`.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { generatedFiles } from "../lib/clients/generated.ts";
import { openApiDocumentOfTree } from "../lib/openapi-document.ts";
import { packClient } from "../lib/pack-client.ts";
import { ROOT } from "../lib/root.ts";

const CLIENTS = join(ROOT, "clients");

for (const [path, text] of Object.entries(await generatedFiles(await openApiDocumentOfTree()))) {
  const file = join(CLIENTS, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
process.stdout.write(`${await packClient(join(CLIENTS, "typescript/dist"))}\n`);

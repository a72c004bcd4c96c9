/**
 * `npm run clients`: writes the generated part of the TypeScript client from the API's document, builds the package and
 * packs it into `clients/typescript/dist`.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { clientTypes } from "../lib/client-types.ts";
import { packClient } from "../lib/pack-client.ts";
import { openApiDocumentOfTree } from "../lib/openapi-document.ts";

const CLIENT = join(import.meta.dirname, "../../clients/typescript");
const GENERATED = join(CLIENT, "src/generated/api.ts");

await writeFile(GENERATED, await clientTypes(await openApiDocumentOfTree()));
process.stdout.write(`${await packClient(join(CLIENT, "dist"))}\n`);

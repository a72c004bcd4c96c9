import { clientTypes, type ApiDocument } from "../client-types.ts";
import { phpFiles } from "./php.ts";
import { pythonFiles } from "./python.ts";

/** What the clients are built on, by the paths of its files below `clients/`. */
export async function generatedFiles(document: ApiDocument): Promise<Record<string, string>> {
  return Object.fromEntries([
    ["typescript/src/generated/api.ts", await clientTypes(document)],
    ...below("python", pythonFiles(document)),
    ...below("php", phpFiles(document)),
  ]);
}

function below(folder: string, files: Record<string, string>): [string, string][] {
  return Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]);
}

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openApiDocumentOfTree } from "../../tools/lib/openapi-document.ts";
import { examplesOf, quicktypeOf, type Components } from "./quicktype.ts";

/** Reads every example of the document, and writes what it read. */
const GO_PROGRAM = `package main

import (
	"io"
	"os"
)

func main() {
	examples, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	read, err := UnmarshalCentavo(examples)
	if err != nil {
		panic(err)
	}
	again, err := read.Marshal()
	if err != nil {
		panic(err)
	}
	os.Stdout.Write(again)
}
`;

/** A program made of generated types: its files are in a folder, the examples are for its standard input. */
export interface GeneratedProgram {
  examples: string;
  /** Throws where what the program wrote is not what it read. */
  expectSame: (output: string) => void;
}

/** Writes a Go program into a folder. */
export async function goProgram(folder: string): Promise<GeneratedProgram> {
  const components = (await openApiDocumentOfTree()).components as unknown as Components;
  await writeFile(join(folder, "go.mod"), "module centavo\n\ngo 1.18\n");
  await writeFile(join(folder, "types.go"), await quicktypeOf(components, "go", {}));
  await writeFile(join(folder, "main.go"), GO_PROGRAM);
  const examples = examplesOf(components);
  return {
    examples: JSON.stringify(examples),
    expectSame(output) {
      const lost = lostOf(examples, JSON.parse(output), "$");
      if (lost.length > 0) throw new Error(`Lost or changed: ${lost.join(", ")}.`);
    },
  };
}

/** The paths of members that a reader changed or lost; null and a member that is left out are one. */
function lostOf(given: unknown, read: unknown, path: string): string[] {
  if (typeof given !== "object" || given === null) {
    return (given ?? null) === (read ?? null) ? [] : [path];
  }
  const inside = (read ?? {}) as Record<string, unknown>;
  return Object.entries(given).flatMap(([name, value]) =>
    lostOf(value, inside[name], `${path}.${name}`),
  );
}

import type { TestCompany } from "../companies/env.ts";
import { fetchFromApp } from "./app.ts";

/** The bytes of a file that the API answers. Throws for anything but a 200. */
export async function fetchBytes(
  path: string,
  company: Pick<TestCompany, "credentials">,
  accept: string,
): Promise<Uint8Array> {
  const headers = { ...company.credentials, Accept: accept };
  const response = await fetchFromApp(new Request(`https://localhost${path}`, { headers }));
  if (response.status !== 200) {
    throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  }
  return new Uint8Array(await response.arrayBuffer());
}

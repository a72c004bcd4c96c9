import type { Env } from "../../config.ts";
import {
  evidenceFileKey,
  type EvidenceFile,
  type EvidenceFilePlace,
} from "../../domain/disputes/evidence-file.ts";
import { withTimeout } from "../../lib/timeout.ts";

/** Nothing waits longer for a file of a few megabytes. */
const FILE_TIMEOUT_MS = 20_000;

/** Keeps the bytes of a new file. Rejects if the bucket has not taken them. */
export async function putEvidenceFile(
  bucket: R2Bucket,
  place: EvidenceFilePlace,
  { type: contentType, sha256 }: EvidenceFile,
  content: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const checked = { sha256, httpMetadata: { contentType } };
  await withTimeout(bucket.put(evidenceFileKey(place), content, checked), FILE_TIMEOUT_MS);
}

/** The bytes of a file; null if the bucket has none or is not bound. Rejects if it does not answer. */
export async function readEvidenceFile(
  env: Env,
  place: EvidenceFilePlace,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const read = async () => {
    const object = (await env.ARCHIVE?.get(evidenceFileKey(place))) ?? null;
    return object === null ? null : new Uint8Array(await object.arrayBuffer());
  };
  return withTimeout(read(), FILE_TIMEOUT_MS);
}

/** Deletes the bytes of a file that no evidence names any more. Rejects if the bucket does not answer. */
export async function deleteEvidenceFile(env: Env, place: EvidenceFilePlace): Promise<void> {
  const deleted = Promise.resolve(env.ARCHIVE?.delete(evidenceFileKey(place)));
  await withTimeout(deleted, FILE_TIMEOUT_MS);
}

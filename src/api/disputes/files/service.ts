import type { Env } from "../../../config.ts";
import {
  deleteEvidenceFile,
  putEvidenceFile,
  readEvidenceFile,
} from "../../../db/archive/evidence-files.ts";
import type { DisputeRecord } from "../../../domain/disputes/dispute.ts";
import {
  evidenceFileName,
  evidenceFileType,
  nameOfType,
  type EvidenceFile,
  type EvidenceFilePlace,
} from "../../../domain/disputes/evidence-file.ts";
import { Problem } from "../../../domain/shared/problem.ts";
import { newUuid } from "../../../domain/shared/ids.ts";
import type { CompanyDependencies } from "../../../http/context.ts";
import { archiveUnreadable, notFound } from "../../../http/problems.ts";
import { sha256Hex } from "../../../lib/hash.ts";
import { errorFields, log } from "../../../lib/log.ts";

type Content = Uint8Array<ArrayBuffer>;

/** Whether the service keeps files: it has a bucket. */
export function keepsFiles({ ARCHIVE }: Pick<Env, "ARCHIVE">): boolean {
  return ARCHIVE !== undefined;
}

/** What is known of a content that was sent. Throws 415 for anything but PDF, JPEG and PNG. */
export async function newEvidenceFile(
  { name, content }: { name: string; content: Content },
  { random, clock }: Pick<CompanyDependencies, "random" | "clock">,
): Promise<EvidenceFile> {
  const type = evidenceFileType(content);
  if (type === null) {
    throw new Problem({
      code: "UNSUPPORTED_MEDIA_TYPE",
      detail: "The content is no PDF, JPEG or PNG.",
    });
  }
  return {
    id: newUuid(random),
    name: nameOfType(evidenceFileName(name), type),
    type,
    bytes: content.length,
    sha256: await sha256Hex(content),
    addedAt: clock.now(),
  };
}

/**
 * Keeps a file's bytes, then adds it to the evidence by `submit`. What the evidence does not have in the end is deleted
 * again; after an error that tells nothing it stays. Throws 422 without a bucket, 503 if it does not answer.
 */
export async function keepEvidenceFile(
  env: Env,
  place: EvidenceFilePlace,
  { file, content }: { file: EvidenceFile; content: Content },
  submit: () => Promise<DisputeRecord>,
): Promise<DisputeRecord> {
  if (env.ARCHIVE === undefined) throw noFileStorage();
  const bucket = env.ARCHIVE;
  await answered(putEvidenceFile(bucket, place, file, content), place);
  const dispute = await submit().catch(async (error: unknown) => {
    if (error instanceof Problem) await discard(env, place);
    throw error;
  });
  if (findFile(dispute, file.id) === undefined) await discard(env, place);
  return dispute;
}

/** The content of a dispute's file. Throws 404 for an unknown one, 503 if the bucket does not answer or lacks it. */
export async function contentOfFile(
  env: Env,
  { companyId, fileId }: Pick<EvidenceFilePlace, "companyId" | "fileId">,
  dispute: DisputeRecord,
): Promise<{ file: EvidenceFile; content: Content }> {
  const place = { companyId, disputeId: dispute.id, fileId };
  const file = findFile(dispute, fileId);
  if (file === undefined) throw notFound("file");
  const content = await answered(readEvidenceFile(env, place), place);
  if (content === null) throw archiveUnreadable();
  return { file, content };
}

/** Deletes the bytes of a file that no evidence names. What stays for lack of an answer is read by nobody. */
export async function discard(env: Env, place: EvidenceFilePlace): Promise<void> {
  await deleteEvidenceFile(env, place).catch((error: unknown) => {
    log("warn", "evidence_file_not_deleted", { ...errorFields(error), ...place });
  });
}

function findFile({ evidence }: DisputeRecord, fileId: string): EvidenceFile | undefined {
  return evidence?.files?.find(({ id }) => id === fileId);
}

/** The bucket's answer. Throws 503 without one. */
async function answered<Answer>(asked: Promise<Answer>, place: EvidenceFilePlace): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    log("warn", "evidence_file_unreachable", { ...errorFields(error), ...place });
    throw archiveUnreadable();
  }
}

function noFileStorage(): Problem {
  return new Problem({
    code: "FILE_STORAGE_NOT_CONFIGURED",
    detail: "This service keeps no files. Send a link to the file instead.",
  });
}

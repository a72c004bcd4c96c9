/** The archive of a deployment: a bucket with its lifecycle, from which D1 is written again (docs/restore.md). */
import { CHANGES_PREFIX, DAYS_KEPT } from "../../../src/domain/storage/archive-files.ts";
import type { EnvironmentConfig } from "./environment.ts";
import type { Bucket, DeployedBinding, LifecycleRule, Platform } from "./platform.ts";

const BINDING = "ARCHIVE";
const RULE = "changes";
const DAY_SECONDS = 86_400;
/** Files of before had no prefix: each began with the number of its company. */
const FIRST_DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

/** Said at the end of a deploy without an archive. */
export const NO_ARCHIVE = `
!!!  NO ARCHIVE: this account has no R2, so nobody keeps what D1 took.
!!!
!!!  If D1 is lost or taken back to an earlier time, this is gone from it since then, for good: new charges with their
!!!  idempotency keys, and what merchants see of payments, withdraws, disputes, links, reports and events. All money
!!!  stays right, in the companies' objects. A payer who pays such a charge makes an unexpected payment, and a repeated
!!!  create charges again.
!!!
!!!  Enable R2 in the dashboard (R2 object storage), then run the same command again: it makes the bucket and binds it.
`;

/**
 * Makes the archive's bucket if there is none, has its changes expire, and binds it. A bucket that is bound already under
 * another name stays. Leaves the binding out of the configuration where the account has no R2. Returns whether there is
 * an archive.
 */
export async function prepareArchive(
  platform: Platform,
  config: EnvironmentConfig,
  deployed: DeployedBinding[] | null,
  print: (text: string) => void,
): Promise<boolean> {
  const configured = config.r2_buckets.find(({ binding }) => binding === BINDING);
  const others = config.r2_buckets.filter(({ binding }) => binding !== BINDING);
  if (configured === undefined) return false;
  const bucket = chosen(configured, config.name, deployed);
  if (!(await platform.makeBucket(bucket))) {
    config.r2_buckets = others;
    return false;
  }
  const rules = await platform.lifecycleOf(bucket);
  const wanted = withChangesExpiring(rules);
  if (wanted !== null) await platform.setLifecycle(bucket, wanted);
  config.r2_buckets = [...others, { binding: BINDING, ...bucket }];
  print(
    `Archive: bucket ${bucket.bucket_name}, where ${CHANGES_PREFIX} expires after ${DAYS_KEPT} days.`,
  );
  return true;
}

/** The bucket that `wrangler.toml` names, else the one that is bound now, else the one of the Worker's name. */
function chosen(
  { binding: _binding, ...configured }: Bucket & { binding: string },
  worker: string,
  deployed: DeployedBinding[] | null,
): Bucket {
  const bound = deployed?.find(({ name, type }) => name === BINDING && type === "r2_bucket");
  const isDefault = configured.bucket_name === `${worker}-archive`;
  if (!isDefault || bound?.bucket_name === undefined) return configured;
  const { bucket_name, jurisdiction } = bound;
  return { bucket_name, ...(jurisdiction === undefined ? {} : { jurisdiction }) };
}

/**
 * The rules by which only what was archived of changes expires; null if they are so. What expired in the whole bucket
 * becomes what expires of the files of before: other files of the bucket are kept for years.
 */
function withChangesExpiring(rules: LifecycleRule[]): LifecycleRule[] | null {
  const own = rules.filter((rule) => prefixOf(rule) === CHANGES_PREFIX);
  const isSo = own.length === 1 && own.every(isRight) && !rules.some(isWhole);
  if (isSo) return null;
  const others = rules
    .filter((rule) => prefixOf(rule) !== CHANGES_PREFIX && rule.id !== RULE)
    .flatMap((rule) => (isWhole(rule) ? ofBefore(rule) : [rule]));
  return [...others, changesRule()];
}

function changesRule() {
  return {
    id: RULE,
    enabled: true,
    conditions: { prefix: CHANGES_PREFIX },
    deleteObjectsTransition: { condition: { type: "Age", maxAge: DAYS_KEPT * DAY_SECONDS } },
  };
}

function isRight({ enabled, deleteObjectsTransition: expiry }: LifecycleRule): boolean {
  return enabled && expiry?.condition.maxAge === DAYS_KEPT * DAY_SECONDS;
}

function ofBefore(whole: LifecycleRule): LifecycleRule[] {
  const { deleteObjectsTransition: _expiry, ...rule } = whole;
  const { abortMultipartUploadsTransition: abort, storageClassTransitions: classes } = rule;
  const left = abort === undefined && classes === undefined ? [] : [rule];
  return [...left, ...FIRST_DIGITS.map((digit) => expiringOf(whole, digit))];
}

function expiringOf(whole: LifecycleRule, prefix: string): LifecycleRule {
  const { id, enabled, deleteObjectsTransition = changesRule().deleteObjectsTransition } = whole;
  const conditions = { ...whole.conditions, prefix };
  return { id: `${id}-${prefix}`, enabled, conditions, deleteObjectsTransition };
}

function isWhole(rule: LifecycleRule): boolean {
  return prefixOf(rule) === "" && rule.deleteObjectsTransition !== undefined;
}

function prefixOf({ conditions }: LifecycleRule): string {
  return conditions?.prefix ?? "";
}

/** A command that the object rejects if it knows newer credentials than the caller used. */
export interface VersionedCommand {
  companyId: number;
  /** The version of the company's row that authenticated the caller (`credentialsVersionOf`). */
  credentialsVersion: number;
}

/** Nothing was done. The caller must read D1 at version `newest` or later and try again. */
export interface VersionConflict {
  kind: "version_conflict";
  newest: number;
}

/** What prevents a change of the whole company: open work, also money, or any movement that was ever booked. */
export type RetirementCheck = "work" | "money" | "movements";

/** Retires the credentials of this command, unless the company has something of `unless`. */
export interface RetireCredentials extends VersionedCommand {
  unless: RetirementCheck;
  /** The account at the PSP whose work counts; left out for any. */
  account?: string | null;
}

/** `retired`: the object now rejects the credentials of this command. `obstacles` are words for people. */
export type RetireCredentialsAnswer =
  | { kind: "retired" }
  | { kind: "open"; obstacles: string[] }
  | VersionConflict;

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

/** `disconnected`: no work is open, and the object rejects the credentials of this command from now on. */
export type DisconnectProviderAnswer = { kind: "disconnected" | "open" } | VersionConflict;

import { problem, type PspResponse } from "./answers.ts";

interface Defence {
  id: string;
  status: string;
  resposta: string | null;
  dossie: string;
}

/** The PSP's desk for dossiers against disputes, at `/med`. Its words are ours: no public source has a bank's. */
export class PspDesk {
  /** By the dispute and our id. */
  readonly defences = new Map<string, Defence>();

  put(disputeId: string, id: string, { dossie }: { dossie: string }): PspResponse {
    const key = `${disputeId}/${id}`;
    const known = this.defences.get(key);
    if (known !== undefined && known.dossie !== dossie) {
      return problem(409, "DefesaDuplicada", "O id já foi utilizado por outra defesa.");
    }
    const stored = known ?? { id, status: "RECEBIDA", resposta: null, dossie };
    this.defences.set(key, stored);
    return { status: known === undefined ? 201 : 200, body: shown(stored) };
  }

  get(disputeId: string, id: string): PspResponse {
    const known = this.defences.get(`${disputeId}/${id}`);
    return known === undefined
      ? problem(404, "DefesaNaoEncontrada", "A defesa não foi encontrada.")
      : { status: 200, body: shown(known) };
  }

  /** The bank's word of each dossier that it has. */
  say(status: string, resposta: string | null = null): void {
    for (const defence of this.defences.values()) Object.assign(defence, { status, resposta });
  }
}

function shown({ id, status, resposta }: Defence) {
  return { id, status, ...(resposta === null ? {} : { resposta }) };
}

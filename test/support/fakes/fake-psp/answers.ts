/** A response of the API. */
export interface PspResponse {
  status: number;
  body: any;
  /** What it says where that is no JSON. */
  text?: string;
}

const PAGE_SIZE = 100;

/** A page of the records from `inicio` to `fim`, as BACEN's API and Efí's lists return it. */
export function pageOf<Value>(
  member: "pix" | "cobs" | "recs" | "cobsr" | "infracoes",
  records: Value[],
  query: URLSearchParams,
  timeOf: (record: Value) => string,
  bodyOf: (record: Value) => unknown,
): PspResponse {
  const [inicio, fim] = [query.get("inicio") ?? "", query.get("fim") ?? ""];
  const [from, to] = [Date.parse(inicio), Date.parse(fim)];
  if (!(from <= to)) return problem(400, "RequisicaoInvalida", "O período não é válido.");
  const page = Number(query.get("paginacao.paginaAtual") ?? 0);
  const size = Number(query.get("paginacao.itensPorPagina") ?? PAGE_SIZE);
  const all = records.filter((record) => {
    const time = Date.parse(timeOf(record));
    return time >= from && time <= to;
  });
  const paginacao = {
    paginaAtual: page,
    itensPorPagina: size,
    quantidadeDePaginas: Math.max(1, Math.ceil(all.length / size)),
    quantidadeTotalDeItens: all.length,
  };
  const shown = all.slice(page * size, (page + 1) * size).map(bodyOf);
  return { status: 200, body: { parametros: { inicio, fim, paginacao }, [member]: shown } };
}

export function problem(status: number, type: string, detail: string): PspResponse {
  const title = type;
  return {
    status,
    body: { type: `https://pix.bcb.gov.br/api/v2/error/${type}`, title, status, detail },
  };
}

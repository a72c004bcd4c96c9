/** Types of two boleto libraries, limited to the tests' use. */
declare module "node-boleto" {
  export class Boleto {
    constructor(options: Record<string, unknown>);
    barcode_data: string;
    linha_digitavel: string;
  }
}

declare module "@mrmgomes/boleto-utils" {
  export function codBarras2LinhaDigitavel(barcode: string, masked: boolean): string;
  export function linhaDigitavel2CodBarras(line: string): string;
}

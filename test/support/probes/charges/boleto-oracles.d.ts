/** Two judges of boletos without types of their own; only what the tests ask of them. */
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

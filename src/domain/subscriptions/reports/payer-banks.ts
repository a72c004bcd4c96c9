/** The banks at which most payers have their accounts, by ISPB (BACEN, participants of the STR and of Pix). */
const NAMES: Record<string, string> = {
  "00000000": "Banco do Brasil",
  "00360305": "Caixa",
  "00416968": "Inter",
  "01181521": "Sicredi",
  "02038232": "Sicoob",
  "08561701": "PagBank",
  "10573521": "Mercado Pago",
  "16501555": "Stone",
  "18236120": "Nubank",
  "22896431": "PicPay",
  "30306294": "BTG Pactual",
  "31872495": "C6",
  "33264668": "XP",
  "58160789": "Safra",
  "60701190": "Itaú",
  "60746948": "Bradesco",
  "62232889": "Daycoval",
  "90400888": "Santander",
  "92702067": "Banrisul",
};

/** A bank's name by its ISPB; null for one that is not in the list. */
export function bankName(ispb: string): string | null {
  return NAMES[ispb] ?? null;
}

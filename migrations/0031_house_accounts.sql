CREATE INDEX `psp_accounts_payee` ON `psp_accounts` (settings ->> 'payeeCode');--> statement-breakpoint
CREATE INDEX `psp_accounts_public_key` ON `psp_accounts` (settings ->> 'publicKey');
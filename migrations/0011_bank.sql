CREATE TABLE `payment_owners` (
	`psp_client` text NOT NULL,
	`payment_key` text NOT NULL,
	`payment_id` text NOT NULL,
	`company_id` integer NOT NULL,
	`is_undecided` integer NOT NULL,
	PRIMARY KEY(`psp_client`, `payment_key`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `company_providers_client` ON `company_providers` (json_extract(settings, '$.clientId'));--> statement-breakpoint
CREATE INDEX `former_accounts_client` ON `former_accounts` (json_extract(settings, '$.clientId'));

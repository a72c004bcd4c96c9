CREATE TABLE `company_providers` (
	`company_id` integer NOT NULL,
	`provider` text NOT NULL,
	`settings` text NOT NULL,
	`sealed` text NOT NULL,
	`callback_token_hash` text NOT NULL,
	`listed_until` integer NOT NULL,
	`list_at` integer NOT NULL,
	`list_window` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`company_id`, `provider`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `company_providers_key` ON `company_providers` (json_extract(`settings`, '$.pixKey'));--> statement-breakpoint
CREATE INDEX `company_providers_due` ON `company_providers` (`list_at`);--> statement-breakpoint
ALTER TABLE `callbacks` ADD `body` text;--> statement-breakpoint
CREATE INDEX `withdraws_payout` ON `withdraws` (`payout_id`);
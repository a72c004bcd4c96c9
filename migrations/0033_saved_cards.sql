CREATE TABLE `saved_cards` (
	`company_id` integer NOT NULL,
	`id` text NOT NULL,
	`account` text NOT NULL,
	`customer` text NOT NULL,
	`lead_key` text NOT NULL,
	`sealed` text,
	`card` text,
	`consent` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`company_id`, `id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `saved_cards_customer` ON `saved_cards` (`company_id`,`customer`,`created_at`);--> statement-breakpoint
CREATE INDEX `saved_cards_lead` ON `saved_cards` (`company_id`,`lead_key`);
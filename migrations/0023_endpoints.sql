CREATE TABLE `webhook_endpoints` (
	`company_id` integer NOT NULL,
	`number` integer NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`description` text NOT NULL,
	`secret_sealed` text NOT NULL,
	`secrets_previous` text,
	`creation_id` text NOT NULL,
	`request_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`deleted_at` integer,
	PRIMARY KEY(`company_id`, `number`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `companies` ADD `webhook_events` text;--> statement-breakpoint
ALTER TABLE `companies` ADD `webhook_description` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `companies` ADD `webhook_deleted_at` integer;
CREATE TABLE `company_forks` (
	`company_id` integer PRIMARY KEY NOT NULL,
	`original_id` integer NOT NULL,
	`idempotency_key` text NOT NULL,
	`client_id` text NOT NULL,
	`lease_until` integer NOT NULL,
	`finished_at` integer,
	`original_movement` integer,
	`original_hash` text
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `company_forks_key` ON `company_forks` (`idempotency_key`);--> statement-breakpoint
CREATE INDEX `company_forks_open` ON `company_forks` (`lease_until`) WHERE finished_at IS NULL;
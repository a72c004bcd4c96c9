CREATE TABLE `dispute_responses` (
	`company_id` integer NOT NULL,
	`dispute_id` text NOT NULL,
	`version` integer NOT NULL,
	`id` text NOT NULL,
	`account` text NOT NULL,
	`status` text NOT NULL,
	`answer` text,
	`dossier_sha256` text,
	`requested_by` text NOT NULL,
	`idempotency_key` text,
	`sent_at` integer NOT NULL,
	`answered_at` integer,
	`checks` integer NOT NULL,
	`next_check_at` integer,
	PRIMARY KEY(`company_id`, `dispute_id`, `version`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `dispute_responses_due` ON `dispute_responses` (`next_check_at`) WHERE next_check_at IS NOT NULL;
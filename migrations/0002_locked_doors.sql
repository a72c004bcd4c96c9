ALTER TABLE `companies` ADD `withdraw_night_limit` integer;--> statement-breakpoint
ALTER TABLE `companies` ADD `withdraw_key_daily_limit` integer;--> statement-breakpoint
ALTER TABLE `companies` ADD `withdraw_approval_above` integer;--> statement-breakpoint
ALTER TABLE `companies` ADD `allowed_pix_keys_enforced` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `companies` ADD `allowed_pix_keys_cool_down_hours` integer DEFAULT 24 NOT NULL;--> statement-breakpoint
ALTER TABLE `companies` ADD `retention_days` integer;--> statement-breakpoint
ALTER TABLE `companies` ADD `lead_key_sealed` text;--> statement-breakpoint
ALTER TABLE `companies` ADD `closed_at` integer;--> statement-breakpoint
ALTER TABLE `companies` ADD `quota_percent` integer DEFAULT 100 NOT NULL;--> statement-breakpoint
ALTER TABLE `transactions` ADD `day_charges` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `transactions` ADD `day_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `ended_charges` integer;--> statement-breakpoint
ALTER TABLE `applications` ADD `networks` text;--> statement-breakpoint
ALTER TABLE `applications` ADD `expires_at` integer;--> statement-breakpoint
ALTER TABLE `applications` ADD `mandate` text;--> statement-breakpoint
ALTER TABLE `applications` ADD `deleted_at` integer;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `client_id` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `prefix` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `last_used_at` integer;--> statement-breakpoint
-- A key of before belongs to its company's first application.
UPDATE `api_keys` SET `client_id` = coalesce((
	SELECT `client_id` FROM `applications` WHERE `applications`.`company_id` = `api_keys`.`company_id`
	ORDER BY `created_at`, `client_id` LIMIT 1), '');--> statement-breakpoint
CREATE INDEX `api_keys_client` ON `api_keys` (`client_id`);--> statement-breakpoint
-- When a key was last used changes nothing that authentication reads.
DROP TRIGGER `api_keys_changed`;--> statement-breakpoint
CREATE TRIGGER `api_keys_changed`
AFTER UPDATE OF `company_id`, `client_id`, `key_hash`, `expires_at`, `revoked_at` ON `api_keys`
BEGIN
	UPDATE `companies` SET `credentials_version` = `credentials_version` + 1
	WHERE `id` IN (OLD.`company_id`, NEW.`company_id`);
END;--> statement-breakpoint
ALTER TABLE `company_providers` ADD `previous_callback_token_hash` text;--> statement-breakpoint
ALTER TABLE `company_providers` ADD `previous_callback_token_until` integer;--> statement-breakpoint
CREATE TABLE `operators` (
	`client_id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	`removed_at` integer
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `operators_role` ON `operators` (`role`);--> statement-breakpoint
CREATE TABLE `operator_keys` (
	`id` integer PRIMARY KEY NOT NULL,
	`client_id` text NOT NULL,
	`key_hash` text NOT NULL,
	`prefix` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`revoked_at` integer,
	`last_used_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `operator_keys_client` ON `operator_keys` (`client_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `operator_keys_hash` ON `operator_keys` (`key_hash`);--> statement-breakpoint
CREATE TABLE `audit_entries` (
	`company_id` integer NOT NULL,
	`sequence` integer NOT NULL,
	`at` integer NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text NOT NULL,
	`actor_name` text NOT NULL,
	`key_prefix` text,
	`action` text NOT NULL,
	`target` text NOT NULL,
	`before` text,
	`after` text,
	`reason` text,
	`address` text,
	`trace_id` text,
	`hash` text NOT NULL,
	PRIMARY KEY(`company_id`, `sequence`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
-- While a company arrives in this database or has left it, its rows here are copies, which a move writes and deletes.
CREATE TRIGGER `audit_entries_fixed` BEFORE UPDATE ON `audit_entries`
WHEN NOT EXISTS (SELECT 1 FROM `fences`
	WHERE `fences`.`company_id` = OLD.`company_id` AND `fences`.`state` IN ('arriving', 'left'))
BEGIN
	SELECT RAISE(ABORT, 'an audit entry never changes');
END;--> statement-breakpoint
CREATE TRIGGER `audit_entries_kept` BEFORE DELETE ON `audit_entries`
WHEN NOT EXISTS (SELECT 1 FROM `fences`
	WHERE `fences`.`company_id` = OLD.`company_id` AND `fences`.`state` IN ('arriving', 'left'))
BEGIN
	SELECT RAISE(ABORT, 'an audit entry is never deleted');
END;--> statement-breakpoint
CREATE TABLE `company_creations` (
	`company_id` integer PRIMARY KEY NOT NULL,
	`idempotency_key` text NOT NULL,
	`request_hash` text NOT NULL,
	`database` text NOT NULL,
	`provider_company_id` text NOT NULL,
	`client_id` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `company_creations_key` ON `company_creations` (`idempotency_key`);--> statement-breakpoint
ALTER TABLE `applications` ADD `request_hash` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `idempotency_hash` text;--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_idempotency` ON `api_keys` (`idempotency_hash`) WHERE idempotency_hash IS NOT NULL;--> statement-breakpoint
CREATE TABLE `payer_erasure_requests` (
	`company_id` integer NOT NULL,
	`lead_key` text NOT NULL,
	`after_seq` integer NOT NULL,
	`up_to_seq` integer NOT NULL,
	`requested_at` integer NOT NULL,
	PRIMARY KEY(`company_id`, `lead_key`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `payer_retention` (
	`company_id` integer PRIMARY KEY NOT NULL,
	`after_seq` integer NOT NULL,
	`next_run_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `payer_retention_due` ON `payer_retention` (`next_run_at`);--> statement-breakpoint
CREATE TABLE `payer_erasures` (
	`company_id` integer NOT NULL,
	`seq` integer NOT NULL,
	`reason` text NOT NULL,
	`due_at` integer NOT NULL,
	`erased_at` integer,
	PRIMARY KEY(`company_id`, `seq`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `payer_erasures_due` ON `payer_erasures` (`due_at`);--> statement-breakpoint
-- A company's first setting starts its retention, so that the cron reads no company without one.
CREATE TRIGGER `companies_retention` AFTER UPDATE OF `retention_days` ON `companies`
WHEN NEW.`retention_days` IS NOT NULL
BEGIN
	INSERT OR IGNORE INTO `payer_retention` (`company_id`, `after_seq`, `next_run_at`) VALUES (NEW.`id`, 0, 0);
END;

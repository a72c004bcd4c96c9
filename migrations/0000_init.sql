CREATE TABLE `api_keys` (
	`id` integer PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`key_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`revoked_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `api_keys_company` ON `api_keys` (`company_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`key_hash`);--> statement-breakpoint
CREATE TABLE `applications` (
	`client_id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`name` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `applications_company` ON `applications` (`company_id`);--> statement-breakpoint
CREATE TABLE `companies` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`mode` text NOT NULL,
	`provider_company_id` text NOT NULL,
	`main_pix_key` text,
	`main_pix_key_type` text,
	`bank_document` text DEFAULT '' NOT NULL,
	`webhook_url` text DEFAULT '' NOT NULL,
	`duplicate_withdraw_guard` integer DEFAULT false NOT NULL,
	`withdraw_daily_limit` integer,
	`fees` text,
	`release_days` text,
	`minimum_withdraw` integer,
	`webhook_secret_sealed` text NOT NULL,
	`webhook_secrets_previous` text,
	`webhook_chaos` text,
	`credentials_version` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
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
CREATE TABLE `callbacks` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`object_id` text NOT NULL,
	`body` text,
	`due_at` integer NOT NULL,
	`attempts` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `callbacks_due` ON `callbacks` (`due_at`);--> statement-breakpoint
CREATE TABLE `cursors` (
	`name` text PRIMARY KEY NOT NULL,
	`value` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `sandbox_card_charges` (
	`charge_id` text PRIMARY KEY NOT NULL,
	`decision` text NOT NULL,
	`amount` integer NOT NULL,
	`card` text NOT NULL,
	`nsu` text NOT NULL,
	`refused_reason` text
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `sandbox_card_tokens` (
	`token` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL,
	`card` text NOT NULL,
	`outcome` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `sandbox_charges` (
	`charge_id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `sandbox_disputes` (
	`charge_id` text NOT NULL,
	`number` integer NOT NULL,
	`payment_id` text NOT NULL,
	`kind` text NOT NULL,
	`amount` integer NOT NULL,
	`status` text NOT NULL,
	PRIMARY KEY(`charge_id`, `number`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `sandbox_disputes_payment` ON `sandbox_disputes` (`payment_id`);--> statement-breakpoint
CREATE TABLE `sandbox_payments` (
	`charge_id` text NOT NULL,
	`payment_id` text NOT NULL,
	`method` text DEFAULT 'PIX' NOT NULL,
	`amount` integer NOT NULL,
	`paid_at` integer NOT NULL,
	PRIMARY KEY(`charge_id`, `payment_id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `sandbox_payouts` (
	`payout_id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`end_to_end_id` text
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `sandbox_refunds` (
	`refund_id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`amount` integer NOT NULL,
	`status` text NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `sandbox_refunds_payment` ON `sandbox_refunds` (`payment_id`);--> statement-breakpoint
CREATE TABLE `self_checks` (
	`company_id` integer PRIMARY KEY NOT NULL,
	`checked_at` integer NOT NULL,
	`movement` integer NOT NULL,
	`company_sequence` integer NOT NULL,
	`missing_events` text NOT NULL,
	`suspects` text NOT NULL,
	`violations` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `clients` (
	`client_id` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `fences` (
	`company_id` integer PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`move` integer NOT NULL,
	`turn` integer NOT NULL,
	`passed` integer DEFAULT 0 NOT NULL,
	CONSTRAINT "fence_holds" CHECK(passed = 0)
) STRICT;
--> statement-breakpoint
CREATE TABLE `move_changes` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` integer NOT NULL,
	`table_name` text NOT NULL,
	`row_key` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `pix_keys` (
	`pix_key` text PRIMARY KEY NOT NULL,
	`company_id` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `pix_keys_company` ON `pix_keys` (`company_id`);--> statement-breakpoint
CREATE TABLE `placements` (
	`company_id` integer PRIMARY KEY NOT NULL,
	`database` text NOT NULL,
	`move` integer NOT NULL,
	`source` text,
	`target` text,
	`stage` text,
	`at_table` text NOT NULL,
	`after_key` text NOT NULL,
	`turn` integer NOT NULL,
	`lease_until` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `placements_moving` ON `placements` (`lease_until`) WHERE target IS NOT NULL;--> statement-breakpoint
CREATE TABLE `transactions` (
	`company_id` integer NOT NULL,
	`seq` integer NOT NULL,
	`id` text NOT NULL,
	`lead_number` integer NOT NULL,
	`lead_count` integer NOT NULL,
	`lead_key` text,
	`external_ref` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`payment_method` text NOT NULL,
	`installments` integer NOT NULL,
	`postback_url` text NOT NULL,
	`traceable` integer NOT NULL,
	`ip` text,
	`shipping_fee` integer,
	`provider` text NOT NULL,
	`secure_random` text NOT NULL,
	`fee_basis_points` integer DEFAULT 0 NOT NULL,
	`fee_fixed` integer DEFAULT 0 NOT NULL,
	`release_days` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`status` text NOT NULL,
	`version` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`paid_at` integer,
	`paid_amount` integer NOT NULL,
	`refunded_amount` integer NOT NULL,
	`end_to_end_id` text,
	`external_nsu` text,
	`card` text,
	`refused_reason` text,
	`cancel_reason` text,
	`refund_reason` text,
	`refunds` text DEFAULT '[]' NOT NULL,
	`dispute` text,
	`idempotency_key` text,
	`request_hash` text NOT NULL,
	`lease_until` integer NOT NULL,
	`answered_at` integer,
	`answered_status` text,
	`next_sweep_at` integer,
	`payer` text NOT NULL,
	`items` text NOT NULL,
	`metadata` text,
	`pix` text,
	`boleto` text,
	`failure` text,
	PRIMARY KEY(`company_id`, `seq`)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `transactions_id` ON `transactions` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `transactions_idempotency` ON `transactions` (`company_id`,`idempotency_key`) WHERE idempotency_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX `transactions_external_ref` ON `transactions` (`company_id`,`external_ref`,`seq`) WHERE external_ref <> '';--> statement-breakpoint
CREATE INDEX `transactions_lead` ON `transactions` (`company_id`,`lead_key`,`seq`) WHERE lead_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX `transactions_sweep` ON `transactions` (`next_sweep_at`,`company_id`) WHERE next_sweep_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `deliveries` (
	`company_id` integer NOT NULL,
	`company_sequence` integer NOT NULL,
	`target` text NOT NULL,
	`url` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`next_attempt_at` integer,
	`updated_at` integer NOT NULL,
	`attempts_log` text NOT NULL,
	PRIMARY KEY(`company_id`, `company_sequence`, `target`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`next_attempt_at`) WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `events` (
	`company_id` integer NOT NULL,
	`company_sequence` integer NOT NULL,
	`type` text NOT NULL,
	`object_id` text NOT NULL,
	`sequence` integer NOT NULL,
	`created_at` integer NOT NULL,
	`body` text NOT NULL,
	PRIMARY KEY(`company_id`, `company_sequence`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `events_object` ON `events` (`company_id`,`object_id`,`company_sequence`);--> statement-breakpoint
CREATE TABLE `webhook_hosts` (
	`company_id` integer NOT NULL,
	`host` text NOT NULL,
	`failing_since` integer NOT NULL,
	`last_failure_at` integer NOT NULL,
	`last_failure` text NOT NULL,
	`off_since` integer,
	PRIMARY KEY(`company_id`, `host`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `webhook_hosts_off` ON `webhook_hosts` (`company_id`) WHERE off_since IS NOT NULL;--> statement-breakpoint
CREATE TABLE `withdraws` (
	`company_id` integer NOT NULL,
	`id` integer NOT NULL,
	`payout_id` text NOT NULL,
	`amount` integer NOT NULL,
	`fee` integer NOT NULL,
	`currency` text NOT NULL,
	`pix_key` text NOT NULL,
	`pix_key_type` text NOT NULL,
	`creditor_document` text NOT NULL,
	`status` text NOT NULL,
	`version` integer NOT NULL,
	`end_to_end_id` text,
	`failure_reason` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`company_id`, `id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
-- Whatever changes what authentication reads of a company raises its version, by whatever way it is changed.
CREATE TRIGGER `companies_changed` AFTER UPDATE ON `companies`
WHEN NEW.`credentials_version` = OLD.`credentials_version`
BEGIN
	UPDATE `companies` SET `credentials_version` = `credentials_version` + 1 WHERE `id` = NEW.`id`;
END;
--> statement-breakpoint
-- A company that is made anew under an old number begins beyond every version that the old one had.
CREATE TRIGGER `companies_made` AFTER INSERT ON `companies`
BEGIN
	UPDATE `companies`
	SET `credentials_version` = max(`credentials_version`, CAST(unixepoch('subsec') * 1000 AS INTEGER))
	WHERE `id` = NEW.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `applications_made` AFTER INSERT ON `applications`
BEGIN
	UPDATE `companies` SET `credentials_version` = `credentials_version` + 1
	WHERE `id` = NEW.`company_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `applications_changed` AFTER UPDATE ON `applications`
BEGIN
	UPDATE `companies` SET `credentials_version` = `credentials_version` + 1
	WHERE `id` IN (OLD.`company_id`, NEW.`company_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `applications_gone` AFTER DELETE ON `applications`
BEGIN
	UPDATE `companies` SET `credentials_version` = `credentials_version` + 1
	WHERE `id` = OLD.`company_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `api_keys_made` AFTER INSERT ON `api_keys`
BEGIN
	UPDATE `companies` SET `credentials_version` = `credentials_version` + 1
	WHERE `id` = NEW.`company_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `api_keys_changed` AFTER UPDATE ON `api_keys`
BEGIN
	UPDATE `companies` SET `credentials_version` = `credentials_version` + 1
	WHERE `id` IN (OLD.`company_id`, NEW.`company_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `api_keys_gone` AFTER DELETE ON `api_keys`
BEGIN
	UPDATE `companies` SET `credentials_version` = `credentials_version` + 1
	WHERE `id` = OLD.`company_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `company_providers_made` AFTER INSERT ON `company_providers`
BEGIN
	UPDATE `companies` SET `credentials_version` = `credentials_version` + 1
	WHERE `id` = NEW.`company_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `company_providers_changed` AFTER UPDATE OF `company_id`, `provider`, `settings`, `sealed` ON `company_providers`
BEGIN
	UPDATE `companies` SET `credentials_version` = `credentials_version` + 1
	WHERE `id` IN (OLD.`company_id`, NEW.`company_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `company_providers_gone` AFTER DELETE ON `company_providers`
BEGIN
	UPDATE `companies` SET `credentials_version` = `credentials_version` + 1
	WHERE `id` = OLD.`company_id`;
END;

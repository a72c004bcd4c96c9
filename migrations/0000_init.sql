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
CREATE TABLE `companies` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`mode` text NOT NULL,
	`provider_company_id` text NOT NULL,
	`main_pix_key` text,
	`main_pix_key_type` text,
	`bank_document` text DEFAULT '' NOT NULL,
	`webhook_url` text DEFAULT '' NOT NULL,
	`webhook_secret_sealed` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `cursors` (
	`name` text PRIMARY KEY NOT NULL,
	`value` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `sandbox_charges` (
	`charge_id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `sandbox_payments` (
	`charge_id` text NOT NULL,
	`end_to_end_id` text NOT NULL,
	`amount` integer NOT NULL,
	`paid_at` integer NOT NULL,
	PRIMARY KEY(`charge_id`, `end_to_end_id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `sandbox_payouts` (
	`payout_id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`end_to_end_id` text
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `leads` (
	`company_id` integer NOT NULL,
	`match_key` text NOT NULL,
	`number` integer NOT NULL,
	`uuid` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`company_id`, `match_key`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `leads_number` ON `leads` (`company_id`,`number`);--> statement-breakpoint
CREATE TABLE `transactions` (
	`company_id` integer NOT NULL,
	`seq` integer NOT NULL,
	`id` text NOT NULL,
	`lead_number` integer NOT NULL,
	`lead_uuid` text NOT NULL,
	`external_ref` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`payment_method` text NOT NULL,
	`installments` integer NOT NULL,
	`postback_url` text NOT NULL,
	`metadata` text,
	`traceable` integer NOT NULL,
	`ip` text,
	`payer` text NOT NULL,
	`shipping` text,
	`items` text NOT NULL,
	`provider` text NOT NULL,
	`pix` text,
	`secure_random` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`status` text NOT NULL,
	`version` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`paid_at` integer,
	`paid_amount` integer NOT NULL,
	`refunded_amount` integer NOT NULL,
	`end_to_end_id` text,
	`cancel_reason` text,
	`refund_reason` text,
	`idempotency_key` text,
	`request_hash` text NOT NULL,
	`lease_until` integer NOT NULL,
	`answered_at` integer,
	`answered_status` text,
	`failure` text,
	`sweep_at` integer,
	PRIMARY KEY(`company_id`, `seq`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `transactions_id` ON `transactions` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `transactions_idempotency` ON `transactions` (`company_id`,`idempotency_key`) WHERE idempotency_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX `transactions_external_ref` ON `transactions` (`company_id`,`external_ref`,`seq`) WHERE external_ref <> '';--> statement-breakpoint
CREATE INDEX `transactions_lead` ON `transactions` (`company_id`,`lead_number`,`seq`);--> statement-breakpoint
CREATE INDEX `transactions_sweep` ON `transactions` (`sweep_at`) WHERE sweep_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `attempts` (
	`company_id` integer NOT NULL,
	`company_sequence` integer NOT NULL,
	`target` text NOT NULL,
	`number` integer NOT NULL,
	`created_at` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`http_status` integer,
	`fault` text,
	`answer` text NOT NULL,
	PRIMARY KEY(`company_id`, `company_sequence`, `target`, `number`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `deliveries` (
	`company_id` integer NOT NULL,
	`company_sequence` integer NOT NULL,
	`target` text NOT NULL,
	`object_id` text NOT NULL,
	`url` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`due_at` integer,
	`lease_until` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`company_id`, `company_sequence`, `target`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `deliveries_open` ON `deliveries` (`company_id`,`object_id`,`target`,`company_sequence`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `events` (
	`company_id` integer NOT NULL,
	`company_sequence` integer NOT NULL,
	`type` text NOT NULL,
	`object_id` text NOT NULL,
	`sequence` integer NOT NULL,
	`created_at` integer NOT NULL,
	`body` text NOT NULL,
	PRIMARY KEY(`company_id`, `company_sequence`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
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

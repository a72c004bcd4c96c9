CREATE TABLE `__new_transactions` (
	`company_id` integer NOT NULL,
	`seq` integer NOT NULL,
	`id` blob NOT NULL,
	`lead_number` integer NOT NULL,
	`lead_uuid` text NOT NULL,
	`lead_count` integer,
	`is_repeat` integer DEFAULT true NOT NULL,
	`external_ref` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` integer NOT NULL,
	`payment_method` integer NOT NULL,
	`installments` integer NOT NULL,
	`postback_url` text NOT NULL,
	`traceable` integer NOT NULL,
	`ip` text,
	`shipping_fee` integer,
	`details` blob NOT NULL,
	`provider` integer NOT NULL,
	`pix` blob,
	`boleto` blob,
	`secure_random` blob NOT NULL,
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
	`end_to_end_id` blob,
	`external_nsu` text,
	`card` text,
	`refused_reason` text,
	`cancel_reason` text,
	`refund_reason` text,
	`refunds` text DEFAULT '[]' NOT NULL,
	`dispute` text,
	`idempotency_key` text,
	`request_hash` blob NOT NULL,
	`lease_until` integer NOT NULL,
	`answered_at` integer,
	`answered_status` integer,
	`failure` blob,
	`sweep_at` integer,
	`event_numbers` text DEFAULT '[]' NOT NULL,
	PRIMARY KEY(`company_id`, `seq`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_transactions` (`company_id`, `seq`, `id`, `lead_number`, `lead_uuid`, `lead_count`, `is_repeat`, `external_ref`, `amount`, `currency`, `payment_method`, `installments`, `postback_url`, `traceable`, `ip`, `shipping_fee`, `details`, `provider`, `pix`, `boleto`, `secure_random`, `fee_basis_points`, `fee_fixed`, `release_days`, `created_at`, `expires_at`, `status`, `version`, `updated_at`, `paid_at`, `paid_amount`, `refunded_amount`, `end_to_end_id`, `external_nsu`, `card`, `refused_reason`, `cancel_reason`, `refund_reason`, `refunds`, `dispute`, `idempotency_key`, `request_hash`, `lease_until`, `answered_at`, `answered_status`, `failure`, `sweep_at`, `event_numbers`)
SELECT `company_id`, `seq`, unhex(replace(`id`, '-', '')), `lead_number`, `lead_uuid`, `lead_count`, `is_repeat`, `external_ref`, `amount`, 0, CASE `payment_method` WHEN 'BOLETO' THEN 1 WHEN 'CREDIT_CARD' THEN 2 ELSE 0 END, `installments`, `postback_url`, `traceable`, `ip`, `shipping` ->> 'fee', CAST(x'00' || unhex(printf('%06x', length(`payer`))) || `payer` || unhex(printf('%06x', length(`items`))) || `items` || iif(`metadata` IS NULL, x'', x'01' || `metadata`) AS blob), `provider` = 'PixApi', `pix`, `boleto`, CAST(`secure_random` AS blob), `fee_basis_points`, `fee_fixed`, `release_days`, `created_at`, `expires_at`, `status`, `version`, `updated_at`, `paid_at`, `paid_amount`, `refunded_amount`, CAST(`end_to_end_id` AS blob), `external_nsu`, `card`, `refused_reason`, `cancel_reason`, `refund_reason`, `refunds`, `dispute`, `idempotency_key`, coalesce(unhex(`request_hash`), x''), iif(`answered_at` IS NULL, `lease_until`, 0), `answered_at`, CASE `answered_status` WHEN 'creating' THEN 0 WHEN 'waiting_payment' THEN 1 WHEN 'authorized' THEN 2 WHEN 'paid' THEN 3 WHEN 'refused' THEN 4 WHEN 'failed' THEN 5 WHEN 'cancelled' THEN 6 WHEN 'refunded' THEN 7 END, `failure`, `sweep_at`, `event_numbers` FROM `transactions`;--> statement-breakpoint
DROP TABLE `transactions`;--> statement-breakpoint
ALTER TABLE `__new_transactions` RENAME TO `transactions`;--> statement-breakpoint
CREATE UNIQUE INDEX `transactions_id` ON `transactions` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `transactions_idempotency` ON `transactions` (`company_id`,`idempotency_key`) WHERE idempotency_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX `transactions_external_ref` ON `transactions` (`company_id`,`external_ref`,`seq`) WHERE external_ref <> '';--> statement-breakpoint
CREATE INDEX `transactions_lead` ON `transactions` (`company_id`,`lead_number`,`seq`) WHERE is_repeat = 1;--> statement-breakpoint
CREATE INDEX `transactions_sweep` ON `transactions` (`sweep_at`) WHERE sweep_at IS NOT NULL;
CREATE TABLE `operator_proposals` (
	`number` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`action` text NOT NULL,
	`company_id` integer NOT NULL,
	`target` text NOT NULL,
	`request` text NOT NULL,
	`reason` text NOT NULL,
	`evidence` text,
	`status` text NOT NULL,
	`proposed_by` text NOT NULL,
	`proposed_by_name` text NOT NULL,
	`proposed_by_user` text,
	`proposed_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`decided_by` text,
	`decided_by_name` text,
	`decided_at` integer,
	`decision_reason` text,
	`provider` text,
	`provider_answer` text,
	`outcome` text
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `operator_proposals_id` ON `operator_proposals` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `operator_proposals_pending` ON `operator_proposals` (`company_id`,`action`,`target`) WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX `operator_proposals_company` ON `operator_proposals` (`company_id`,`number`);--> statement-breakpoint
CREATE INDEX `operator_proposals_status` ON `operator_proposals` (`status`,`number`);--> statement-breakpoint
CREATE TABLE `payment_owners` (
	`psp_client` text NOT NULL,
	`payment_key` text NOT NULL,
	`payment_id` text NOT NULL,
	`company_id` integer NOT NULL,
	`is_undecided` integer NOT NULL,
	PRIMARY KEY(`psp_client`, `payment_key`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `api_keys` ADD `given_by` text;--> statement-breakpoint
ALTER TABLE `applications` ADD `scopes_version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `applications` ADD `refund_daily_limit` integer;--> statement-breakpoint
ALTER TABLE `applications` ADD `given_at` integer;--> statement-breakpoint
ALTER TABLE `applications` ADD `given_by` text;--> statement-breakpoint
ALTER TABLE `applications` ADD `pending_settings` text;--> statement-breakpoint
CREATE INDEX `applications_pending` ON `applications` (`company_id`) WHERE pending_settings IS NOT NULL;--> statement-breakpoint
ALTER TABLE `companies` ADD `refund_daily_limit` integer;--> statement-breakpoint
ALTER TABLE `companies` ADD `refund_approval_above` integer;--> statement-breakpoint
ALTER TABLE `companies` ADD `role_limits` text;--> statement-breakpoint
ALTER TABLE `companies` ADD `pending_settings` text;--> statement-breakpoint
ALTER TABLE `companies` ADD `main_pix_key_since` integer;--> statement-breakpoint
CREATE INDEX `companies_pending` ON `companies` (`id`) WHERE pending_settings IS NOT NULL;--> statement-breakpoint
ALTER TABLE `unexpected_payments` ADD `requested_by` text;--> statement-breakpoint
ALTER TABLE `unexpected_payments` ADD `approval` text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE `invitations` ADD `given_by` text;--> statement-breakpoint
ALTER TABLE `memberships` ADD `given_at` integer;--> statement-breakpoint
ALTER TABLE `memberships` ADD `given_by` text;--> statement-breakpoint
ALTER TABLE `transactions` ADD `day_link_charges` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `company_providers_client` ON `company_providers` (json_extract(settings, '$.clientId'));--> statement-breakpoint
CREATE INDEX `former_accounts_client` ON `former_accounts` (json_extract(settings, '$.clientId'));
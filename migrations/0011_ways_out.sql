ALTER TABLE `api_keys` ADD `given_by` text;--> statement-breakpoint
ALTER TABLE `applications` ADD `scopes_version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `applications` ADD `refund_daily_limit` integer;--> statement-breakpoint
ALTER TABLE `applications` ADD `given_at` integer;--> statement-breakpoint
ALTER TABLE `applications` ADD `given_by` text;--> statement-breakpoint
ALTER TABLE `applications` ADD `pending_settings` text;--> statement-breakpoint
ALTER TABLE `companies` ADD `refund_daily_limit` integer;--> statement-breakpoint
ALTER TABLE `companies` ADD `refund_approval_above` integer;--> statement-breakpoint
ALTER TABLE `companies` ADD `role_limits` text;--> statement-breakpoint
ALTER TABLE `companies` ADD `pending_settings` text;--> statement-breakpoint
ALTER TABLE `companies` ADD `main_pix_key_since` integer;--> statement-breakpoint
ALTER TABLE `invitations` ADD `given_by` text;--> statement-breakpoint
ALTER TABLE `memberships` ADD `given_at` integer;--> statement-breakpoint
ALTER TABLE `memberships` ADD `given_by` text;
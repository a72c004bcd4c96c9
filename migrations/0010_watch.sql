CREATE TABLE `acknowledgements` (
	`company_id` integer PRIMARY KEY NOT NULL,
	`violations` text NOT NULL,
	`at` integer NOT NULL,
	`actor_name` text NOT NULL,
	`reason` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `alarm_notices` (
	`alarm` text NOT NULL,
	`target` text NOT NULL,
	`kind` text NOT NULL,
	`since` integer NOT NULL,
	`severity` text NOT NULL,
	`sent_at` integer NOT NULL,
	PRIMARY KEY(`alarm`, `target`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `alarms` (
	`id` text PRIMARY KEY NOT NULL,
	`severity` text NOT NULL,
	`detail` text NOT NULL,
	`since` integer NOT NULL,
	`clear_since` integer,
	`resolved_at` integer
) STRICT;
--> statement-breakpoint
CREATE TABLE `cron_heartbeats` (
	`task` text PRIMARY KEY NOT NULL,
	`last_start_at` integer NOT NULL,
	`last_success_at` integer,
	`last_error_at` integer,
	`last_error` text
) STRICT;
--> statement-breakpoint
CREATE TABLE `dead_letters` (
	`id` text PRIMARY KEY NOT NULL,
	`queue` text NOT NULL,
	`body` text NOT NULL,
	`received_at` integer NOT NULL,
	`replayed_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `dead_letters_received` ON `dead_letters` (`received_at`,`id`);--> statement-breakpoint
CREATE INDEX `dead_letters_open` ON `dead_letters` (`received_at`,`id`) WHERE replayed_at IS NULL;--> statement-breakpoint
CREATE TABLE `provider_accounts` (
	`company_id` integer NOT NULL,
	`account` text NOT NULL,
	`host` text NOT NULL,
	`last_success_at` integer,
	`failing_since` integer,
	`last_fault_at` integer,
	`certificate_expires_at` integer,
	`credentials_expire_at` integer,
	PRIMARY KEY(`company_id`, `account`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `provider_accounts_failing` ON `provider_accounts` (`failing_since`) WHERE failing_since IS NOT NULL;--> statement-breakpoint
CREATE INDEX `provider_accounts_certificate` ON `provider_accounts` (`certificate_expires_at`) WHERE certificate_expires_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `provider_accounts_credentials` ON `provider_accounts` (`credentials_expire_at`) WHERE credentials_expire_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `provider_hosts` (
	`host` text PRIMARY KEY NOT NULL,
	`calls` integer NOT NULL,
	`faults` integer NOT NULL,
	`last_success_at` integer,
	`last_fault_at` integer,
	`last_fault_company` integer,
	`last_fault_call` text,
	`last_fault` text,
	`last_fault_trace` text,
	`last_fault_ms` integer
) STRICT;
--> statement-breakpoint
ALTER TABLE `self_checks` ADD `backlog_since` integer;--> statement-breakpoint
CREATE INDEX `self_checks_violated` ON `self_checks` (`company_id`) WHERE violations <> '[]';--> statement-breakpoint
CREATE INDEX `self_checks_backlog` ON `self_checks` (`backlog_since`) WHERE backlog_since IS NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `trace_id` text;--> statement-breakpoint
CREATE INDEX `webhook_hosts_failing` ON `webhook_hosts` (`failing_since`);--> statement-breakpoint
CREATE INDEX `withdraws_undecided` ON `withdraws` (`updated_at`) WHERE status = 'Processing';
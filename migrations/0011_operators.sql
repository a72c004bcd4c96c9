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
CREATE INDEX `operator_proposals_status` ON `operator_proposals` (`status`,`number`);
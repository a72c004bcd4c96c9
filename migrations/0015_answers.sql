CREATE TABLE `service_samples` (
	`at` integer PRIMARY KEY NOT NULL,
	`closed_through` text NOT NULL,
	`closed_payments` text NOT NULL,
	`payments` text NOT NULL,
	`webhooks` text NOT NULL,
	`psps` text NOT NULL,
	`databases` text NOT NULL,
	`objects` text NOT NULL,
	`open_work` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `webhook_attempts` (
	`result` text PRIMARY KEY NOT NULL,
	`attempts` integer NOT NULL,
	`first_attempts` integer NOT NULL
) STRICT;
--> statement-breakpoint
ALTER TABLE `self_checks` ADD `open_operations` text;--> statement-breakpoint
CREATE INDEX `self_checks_operations` ON `self_checks` (`company_id`) WHERE open_operations IS NOT NULL;--> statement-breakpoint
ALTER TABLE `provider_hosts` ADD `duration_ms` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `provider_hosts` ADD `durations` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX `storage_gauges_bytes` ON `storage_gauges` (`bytes`);--> statement-breakpoint
CREATE INDEX `unexpected_payments_open` ON `unexpected_payments` (`received_at`) WHERE status IN ('kept', 'crediting', 'returning');--> statement-breakpoint
CREATE INDEX `daily_reports_day` ON `daily_reports` (`day`);--> statement-breakpoint
INSERT INTO `webhook_attempts` (`result`, `attempts`, `first_attempts`) VALUES ('delivered', 0, 0), ('failed', 0, 0);--> statement-breakpoint
-- Counts an attempt at an open delivery, once however often its statement is repeated. An extra attempt of the
-- sandbox's chaos changes a delivery that is over, and a row that is copied from another database is counted there.
CREATE TRIGGER `deliveries_attempt_counted`
AFTER UPDATE OF `attempts` ON `deliveries`
WHEN NEW.attempts > OLD.attempts AND OLD.next_attempt_at IS NOT NULL
  AND NOT EXISTS (
    SELECT 1 FROM `fences` WHERE company_id = NEW.company_id AND state = 'arriving')
BEGIN
  UPDATE `webhook_attempts`
  SET attempts = attempts + 1, first_attempts = first_attempts + (NEW.attempts = 1)
  WHERE result = CASE WHEN NEW.status = 'delivered' THEN 'delivered' ELSE 'failed' END;
END;

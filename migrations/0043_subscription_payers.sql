CREATE TABLE `subscription_payers` (
	`company_id` integer NOT NULL,
	`number` integer NOT NULL,
	`lead_key` text NOT NULL,
	PRIMARY KEY(`company_id`, `number`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `subscription_payers_lead` ON `subscription_payers` (`company_id`,`lead_key`,`number`);--> statement-breakpoint
CREATE TRIGGER `subscriptions_payer` AFTER INSERT ON `subscriptions`
WHEN NEW.`customer` ->> '$.leadKey' IS NOT NULL
BEGIN
	INSERT OR IGNORE INTO `subscription_payers` (`company_id`, `number`, `lead_key`)
	VALUES (NEW.`company_id`, NEW.`number`, NEW.`customer` ->> '$.leadKey');
END;
--> statement-breakpoint
CREATE TRIGGER `subscriptions_payer_erased` AFTER UPDATE OF `customer` ON `subscriptions`
WHEN NEW.`customer` ->> '$.leadKey' IS NULL
BEGIN
	DELETE FROM `subscription_payers` WHERE `company_id` = NEW.`company_id` AND `number` = NEW.`number`;
END;

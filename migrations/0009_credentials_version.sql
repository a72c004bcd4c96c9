ALTER TABLE `companies` ADD `credentials_version` integer DEFAULT 0 NOT NULL;
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

"""Mail in and out: bytes to the order text of a seat, and receipts, reports and reminders to bytes (docs/mail.md)."""

"""Mail in and out: from bytes to a seat's order text, and from facts to messages (docs/mail.md)."""

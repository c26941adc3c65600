"""How messages reach people and programs: webhooks, Slack, e-mail; and their words."""

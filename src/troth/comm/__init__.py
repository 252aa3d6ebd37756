"""Owner-computes programs, and the transports that carry their messages between ranks."""

"""The data: graphs, their edge order, conversions, generators and files."""

"""Graphs spread over ranks: each owns consecutive vertices and all their edges, and knows its neighbours' as ghosts."""

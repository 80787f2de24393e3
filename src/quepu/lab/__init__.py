"""Measuring rulebooks. numpy is imported only here and in `quepu.batch`."""

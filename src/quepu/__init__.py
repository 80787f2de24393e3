"""quepu 雀谱: score, explain, play and measure Chinese mahjong rulebooks."""

__version__ = "0.1.0"

"""What a customer is about to buy."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Basket:
    """Articles and how many of each."""

    articles: dict[str, int] = field(default_factory=dict)

    def add(self, article: str, count: int = 1) -> None:
        """Put `count` more of an article into the basket."""
        self.articles[article] = self.articles.get(article, 0) + count

    def total(self, prices: dict[str, int]) -> int:
        """The price of everything, in cents."""
        return sum(prices[article] * count for article, count in self.articles.items())

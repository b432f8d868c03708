"""A library as an MCP server over standard input and output: its catalog, and reservations that last as long as it."""

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel

BOOKS = {
    "b-101": ("The Old Bridge", True),
    "b-102": ("The Old Bridge, illustrated", False),
    "b-103": ("Rivers of the North", False),
}

server = MCPServer("library")
waiting: dict[str, list[str]] = {}


class Book(BaseModel):
    """An entry of the catalog."""

    id: str
    title: str
    lent: bool


class Found(BaseModel):
    """The books that match a search."""

    books: list[Book]


class Reservation(BaseModel):
    """A place in the queue for a book, from 1."""

    book: str
    position: int


@server.tool()
def search(title: str, limit: int = 10) -> Found:
    """Books whose title contains some words."""
    found = [key for key, (name, _) in BOOKS.items() if title.lower() in name.lower()]
    return Found(books=[Book(id=key, title=BOOKS[key][0], lent=BOOKS[key][1]) for key in found[:limit]])


@server.tool()
def reserve(book: str, member: str) -> Reservation:
    """Reserve a book for a member."""
    if book not in BOOKS:
        raise ToolError(f"there is no book {book}")
    queue = waiting.setdefault(book, ["another member"] if BOOKS[book][1] else [])
    queue.append(member)
    return Reservation(book=book, position=len(queue))


if __name__ == "__main__":
    server.run()

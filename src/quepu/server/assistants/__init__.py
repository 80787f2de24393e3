"""An MCP server for language models: an assistant asks quepu instead of inventing rules and points.

messages    arguments of the tools, and answers with their sources
tools       the functions that answer, in another process within limits
catalogue   the tools by name, with their texts, arguments and answers
service     the tools over the Model Context Protocol, on standard input and output
"""

from quepu.errors import needs

needs("mcp", "fastapi", extra="mcp")

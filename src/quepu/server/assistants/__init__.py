"""An MCP server for language models: an assistant asks quepu instead of inventing rules and points.

messages    arguments of the tools, and answers with their sources
tools       the tools, answered in another process within limits
service     the tools over the Model Context Protocol, on standard input and output
"""

from quepu.errors import needs

needs("mcp", "fastapi", extra="mcp")

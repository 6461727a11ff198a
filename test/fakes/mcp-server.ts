import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

/** An MCP server on standard streams: adds, fails, never answers, and dies when it is told to. */
serveStdio(() => {
  const server = new McpServer({ name: 'fake', version: '1' })
  const inputSchema = z.object({ a: z.number(), b: z.number() })
  server.registerTool('add', { inputSchema, annotations: { readOnlyHint: true } }, async ({ a, b }) => ({
    content: [{ type: 'text', text: String(a + b) }],
  }))
  server.registerTool('fail', {}, async () => ({ content: [{ type: 'text', text: 'It broke.' }], isError: true }))
  server.registerTool('hang', {}, () => new Promise(() => {}))
  server.registerTool('die', {}, () => process.exit(1))
  return server
})

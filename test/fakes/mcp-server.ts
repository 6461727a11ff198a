import { spawn } from 'node:child_process'
import { appendFile } from 'node:fs/promises'
import { acceptedContent, inputRequired, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const names = process.argv.slice(2)
const helper = process.env.HELPED && spawn('sleep', ['30'], { stdio: 'inherit' })

/**
 * An MCP server on standard streams: adds, fails, never answers, and dies when it is told to; where NOTES names a file, it notes
 * lines there, where SAYS is a text, it says that, as often as it is asked to, where ORDERS is set, it asks the user how many, and where HELPED is, it starts a
 * process that has its pipes, and says the ids of both. Given names, its tools have those, and each says its own.
 */
serveStdio(() => {
  const server = new McpServer({ name: 'fake', version: '1' })
  for (const name of names)
    server.registerTool(name, {}, async () => ({ content: [{ type: 'text', text: name }] }))
  if (names.length > 0) return server
  const inputSchema = z.object({ a: z.number(), b: z.number() })
  server.registerTool(
    'add',
    { inputSchema, annotations: { readOnlyHint: true } },
    async ({ a, b }) => ({
      content: [{ type: 'text', text: String(a + b) }],
    }),
  )
  const { NOTES: notes, SAYS: says } = process.env
  if (says !== undefined) {
    const spoken = {
      inputSchema: z.object({ times: z.number().default(1) }),
      annotations: { readOnlyHint: true },
    }
    server.registerTool('say', spoken, async ({ times }) => ({
      content: [{ type: 'text', text: says.repeat(times) }],
    }))
  }
  if (notes !== undefined) {
    server.registerTool(
      'note',
      { inputSchema: z.object({ line: z.string() }) },
      async ({ line }) => {
        await appendFile(notes, `${line}\n`)
        return { content: [{ type: 'text', text: 'Noted.' }] }
      },
    )
  }
  if (helper) {
    const text = `${process.pid} ${helper.pid}`
    server.registerTool('pids', {}, () => ({ content: [{ type: 'text', text }] }))
  }
  if (process.env.SHOWS !== undefined)
    server.registerTool('show', {}, async () => ({
      content: [
        { type: 'text', text: 'A plan:' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'note://1', text: 'Scale 1:100' } },
      ],
    }))
  if (process.env.ORDERS !== undefined)
    server.registerTool('order', { annotations: { readOnlyHint: true } }, async ({ mcpReq }) => {
      const count = z.object({ count: z.number() })
      if (!mcpReq.inputResponses?.order) {
        const order = inputRequired.elicit({ message: 'How many?', requestedSchema: count })
        return inputRequired({ inputRequests: { order } })
      }
      const answer = acceptedContent(mcpReq.inputResponses, 'order', count)
      const text = answer ? `${answer.count} ordered` : 'Declined.'
      return { content: [{ type: 'text', text }] }
    })
  server.registerTool('fail', {}, async () => ({
    content: [{ type: 'text', text: 'It broke.' }],
    isError: true,
  }))
  server.registerTool('hang', {}, () => new Promise(() => {}))
  server.registerTool('die', {}, () => process.exit(1))
  return server
})

// An MCP server of the SDK of 2025: shows a picture and resources, asks its user, and lists the roots of its host.
import { pathToFileURL } from 'node:url'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'

const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export function createOldServer() {
  const mcp = new McpServer({ name: 'old', version: '1' })
  const text = said => ({ content: [{ type: 'text', text: said }] })
  mcp.registerTool('show', { annotations: { readOnlyHint: true } }, () => ({
    content: [
      { type: 'text', text: 'A plan:' },
      { type: 'image', data: PICTURE, mimeType: 'image/png' },
      {
        type: 'resource',
        resource: { uri: 'note://1', text: 'Scale 1:100', mimeType: 'text/plain' },
      },
      {
        type: 'resource',
        resource: { uri: 'data://2', blob: 'AAAA', mimeType: 'application/zip' },
      },
      { type: 'resource_link', uri: 'file:///plan.dwg', name: 'plan', description: 'The drawing.' },
    ],
  }))
  mcp.registerTool('note', { annotations: { readOnlyHint: true } }, () => ({
    content: [{ type: 'resource', resource: { uri: 'note://1', text: 'Scale 1:100' } }],
  }))
  mcp.registerTool('roots', {}, async () => {
    if (!mcp.server.getClientCapabilities()?.roots) return text('none')
    return text((await mcp.server.listRoots()).roots.map(({ uri }) => uri).join(' '))
  })
  mcp.registerTool('order', {}, async () => {
    if (!mcp.server.getClientCapabilities()?.elicitation) return text('Nobody can be asked.')
    const { action, content } = await mcp.server.elicitInput({
      message: 'How many?',
      requestedSchema: {
        type: 'object',
        properties: { count: { type: 'integer' } },
        required: ['count'],
      },
    })
    return text(`${action} ${content?.count ?? ''}`.trim())
  })
  return mcp
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await createOldServer().connect(new StdioServerTransport())

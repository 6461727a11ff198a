import type { McpServer } from '@modelcontextprotocol/server'
import { redact } from '../agent/redact.ts'
import type { Passim } from '../app.ts'
import { toAppError } from '../errors.ts'

/** Where a face's part finds what it offers. */
export type McpScope = {
  readonly collections?: readonly string[] | undefined
  readonly isReadOnly?: boolean | undefined
}

/** One part of the face: adds itself to a server. */
export type AddToServer = (server: McpServer, passim: Passim, scope: McpScope) => void

/** Hints of a tool that changes nothing and asks nobody outside. */
export const READ_ONLY = { readOnlyHint: true, idempotentHint: true, openWorldHint: false }

/** The result as structured content, and as text for clients that read no other; what fails is told without paths. */
export async function answer<Result extends Record<string, unknown>>(work: () => Promise<Result>) {
  try {
    const structuredContent = await work()
    return { content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }], structuredContent }
  } catch (error) {
    const { code, message } = toAppError(error)
    return { content: [{ type: 'text' as const, text: `${redact(message)} (${code})` }], isError: true }
  }
}

/** The resource that a document is. */
export function documentUri(documentId: string): string {
  return `passim://documents/${documentId}`
}

import { type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { redact } from '../agent/redact.ts'
import type { Passim } from '../app.ts'
import type { Asker } from '../conversations/turn-work.ts'
import { isOfModel, MODEL_AWAY, storeSentence, toAppError, toPublicFailure } from '../errors.ts'

/** Where a face's part finds what it offers. */
export type McpScope = {
  readonly collections?: readonly string[] | undefined
  /** Told of what a client may hear no more of than that there was it: faults inside Passim, and what models' servers said. */
  readonly onError?: ((error: Error) => void) | undefined
  readonly isReadOnly?: boolean | undefined
  /** Whoever asks is not the operator, and is not told where models lie. */
  readonly isGuest?: boolean | undefined
  /** On whose account conversations are kept; the operator's when left out. `null`: who asks may keep none. */
  readonly asker?: Asker | null | undefined
}

/** One part of the face: adds itself to a server. */
export type AddToServer = (server: McpServer, passim: Passim, scope: McpScope) => void

/** Hints of a tool that changes nothing and asks nobody outside. */
export const READ_ONLY = { readOnlyHint: true, idempotentHint: true, openWorldHint: false }

/** What a result could not come from. */
export const warningsSchema = z
  .array(z.object({ code: z.string(), message: z.string() }))
  .optional()
  .describe(
    'Reasons why the result may be incomplete, such as documents that are still being indexed.',
  )

/** What a client can open of a result. */
type Link = {
  readonly type: 'resource_link'
  readonly uri: string
  readonly name: string
  readonly mimeType: string
}

/** The result as structured content, and as text for clients that read no other; what fails is told without paths. */
export async function answer<Result extends Record<string, unknown>>(
  scope: McpScope,
  work: () => Promise<Result>,
  linksOf: (result: Result) => Link[] = () => [],
) {
  try {
    const structuredContent = await work()
    const text = { type: 'text' as const, text: JSON.stringify(structuredContent) }
    return { content: [text, ...linksOf(structuredContent)], structuredContent }
  } catch (error) {
    return { content: [{ type: 'text' as const, text: tellFailure(error, scope) }], isError: true }
  }
}

/** What a client may know of a failure: our own sentences, without paths. */
function tellFailure(error: unknown, { onError, isGuest }: McpScope): string {
  const failure = toPublicFailure(
    error,
    'Something failed inside Passim; its operator can see what.',
  )
  const { code, message } = failure
  const isWithheld =
    code === 'internal' || storeSentence(toAppError(error)) !== undefined || isOfModel(failure)
  if (isWithheld) onError?.(error instanceof Error ? error : new Error(String(error)))
  return `${isGuest && isOfModel(failure) ? MODEL_AWAY : redact(message)} (${code})`
}

/** The resource that a document is. */
export function documentUri(documentId: string): string {
  return `passim://documents/${documentId}`
}

/** The resource that a passage is: `charStart` to `charEnd` of the document's text. */
export function passageUri(
  documentId: string,
  span: { readonly charStart: number; readonly charEnd: number },
): string {
  return `${documentUri(documentId)}/passages/${span.charStart}-${span.charEnd}`
}

/** What a client asked for by name or address, and was wrong about, is its own mistake; the rest is ours. */
export function protocolFailure(error: unknown, scope: McpScope): ProtocolError {
  const isOurs = toPublicFailure(error, '').code === 'internal'
  const code = isOurs ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams
  return new ProtocolError(code, tellFailure(error, scope))
}

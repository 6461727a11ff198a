import { type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Passim } from '../app/passim.ts'
import type { Asker } from '../conversations/turn-work.ts'
import { describeSchemaFault } from '../errors/schema-issue.ts'
import {
  isOfModel,
  MODEL_AWAY,
  omitAdvice,
  toAppError,
  toPublicFailure,
  toStoreMessage,
} from '../errors.ts'
import type { Warning } from '../ingest/parse/parser.ts'
import { redact } from '../system/redact.ts'

export type McpOptions = {
  /** Names or ids; default the default collection. */
  readonly collections?: readonly string[] | undefined
  /** Offers nothing that changes data. */
  readonly isReadOnly?: boolean | undefined
  /** Hides models' servers from clients other than the operator. */
  readonly isGuest?: boolean | undefined
  /** Account of conversations; default the operator's, `null` for none. */
  readonly asker?: Asker | null | undefined
  /** Receives failures outside of answers, and details that clients must not see. */
  readonly onError?: ((error: Error) => void) | undefined
}

export type AddToServer = (server: McpServer, passim: Passim, scope: McpOptions) => void

/** Hints of a tool without changes or external requests. */
export const READ_ONLY = { readOnlyHint: true, idempotentHint: true, openWorldHint: false }

export const warningsSchema = z
  .array(z.object({ code: z.string(), message: z.string() }))
  .optional()
  .describe(
    'Reasons why the result may be incomplete, such as documents that are still being indexed.',
  )

/** Refuses unknown arguments, and describes wrong ones in our words. */
export function explainFaults<Schema extends z.ZodObject>(schema: Schema): Schema {
  const strict = schema.strict()
  const validate = async (input: unknown) => {
    const parsed = await strict.safeParseAsync(input)
    if (parsed.success) return { value: parsed.data }
    const { field, what } = describeSchemaFault(parsed.error)
    return { issues: [{ message: `${field || 'arguments'} ${what}` }] }
  }
  const standard = { value: { ...strict['~standard'], validate } }
  return Object.create(strict, { '~standard': standard })
}

type Link = {
  readonly type: 'resource_link'
  readonly uri: string
  readonly name: string
  readonly mimeType: string
}

/** Returns structured content, and text for other clients. Failures contain no paths. */
export async function answer<Result extends Record<string, unknown>>(
  scope: McpOptions,
  work: () => Promise<Result>,
  linksOf: (result: Result) => Link[] = () => [],
) {
  try {
    const structuredContent = omitWarningAdvice(await work())
    const text = { type: 'text' as const, text: JSON.stringify(structuredContent) }
    return { content: [text, ...linksOf(structuredContent)], structuredContent }
  } catch (error) {
    return {
      content: [{ type: 'text' as const, text: reportFailure(error, scope) }],
      isError: true,
    }
  }
}

type WithWarnings = { readonly warnings?: readonly Warning[] }

/** Keeps commands and settings from models, which might run or change them. */
function omitWarningAdvice<Result extends WithWarnings>(result: Result): Result {
  return result.warnings ? { ...result, warnings: result.warnings.map(omitAdvice) } : result
}

/** Returns our message without paths. */
function reportFailure(error: unknown, { onError, isGuest }: McpOptions): string {
  const failure = toPublicFailure(
    error,
    'An internal error occurred in Passim. Its operator can see the details in the log.',
  )
  const { code, message } = failure
  const isWithheld =
    code === 'internal' || toStoreMessage(toAppError(error)) !== undefined || isOfModel(failure)
  if (isWithheld) onError?.(error instanceof Error ? error : new Error(String(error)))
  return `${isGuest && isOfModel(failure) ? MODEL_AWAY : redact(message)} (${code})`
}

export function toDocumentUri(documentId: string): string {
  return `passim://documents/${documentId}`
}

export function toPassageUri(
  documentId: string,
  span: { readonly charStart: number; readonly charEnd: number },
): string {
  return `${toDocumentUri(documentId)}/passages/${span.charStart}-${span.charEnd}`
}

/** Blames the client for a wrong name or address, otherwise us. */
export function toProtocolError(error: unknown, scope: McpOptions): ProtocolError {
  const isOurs = toPublicFailure(error, '').code === 'internal'
  const code = isOurs ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams
  return new ProtocolError(code, reportFailure(error, scope))
}

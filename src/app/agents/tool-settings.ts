import { z } from 'zod'
import { SEARCHERS } from '../../config/agents.ts'
import { AppError } from '../../errors.ts'

const tokens = z.int().min(100).optional()

/** Of every built-in tool. */
const anyTool = { timeoutMs: z.int().min(1).optional() }

/** Of tools that read documents; `max_ref_token` and the like are Qwen-Agent's names. */
const reader = {
  ...anyTool,
  collections: z.array(z.string().min(1)).min(1).optional(),
  maxTokens: tokens,
  max_ref_token: tokens,
}
const search = { ...reader, topK: z.int().min(1).max(1_000).optional(), minScore: z.number().optional() }
const searchers = z.array(z.enum(SEARCHERS)).min(1).optional()

export const readerSchema = z.strictObject(reader)
export const searchSchema = z.strictObject(search)
export const retrievalSchema = z.strictObject({ ...search, searchers, rag_searchers: searchers })
export const storageSchema = z.strictObject({
  ...anyTool,
  root: z.string().min(1).optional(),
  maxValueBytes: z.int().min(1).optional(),
  maxScanned: z.int().min(1).optional(),
})

/** What stands beside the name of a tool, checked. Throws `invalid_input`, naming the setting and those that there are. */
export function toolSettings<Schema extends z.ZodObject>(
  tool: string,
  schema: Schema,
  given: object,
): z.output<Schema> {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const unknown = issue && 'keys' in issue ? issue.keys[0] : undefined
  const names = Object.keys(schema.shape).join(', ')
  const what = unknown === undefined ? `${issue?.path.join('.')} of the tool ${tool}: ${issue?.message}` : ''
  throw new AppError(
    'invalid_input',
    what ? `Setting ${what}.` : `The tool ${tool} has no setting ${unknown}. It has: ${names}.`,
  )
}

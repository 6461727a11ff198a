import { z } from 'zod'
import type { Tool } from '../../agent/tool.ts'
import { withTimeout } from '../../agent/tools/tool-limits.ts'
import { describeSchemaFault } from '../../errors/schema-issue.ts'
import { AppError } from '../../errors.ts'

export type ToolConfig = Readonly<Record<string, unknown>>

export const anyTool = { timeoutMs: z.int().min(1).optional() }

/** Throws `invalid_input` with the setting and the valid names. */
export function parseToolSettings<Schema extends z.ZodObject>(
  tool: string,
  schema: Schema,
  settings: object,
): z.output<Schema> {
  const parsed = schema.safeParse(settings)
  if (parsed.success) return parsed.data
  const { field, what, unknown } = describeSchemaFault(parsed.error)
  const names = Object.keys(schema.shape).join(', ')
  const message = unknown
    ? `The tool ${tool} has no setting ${unknown}. It has: ${names}.`
    : `Setting ${field} of the tool ${tool} ${what}.`
  throw new AppError('invalid_input', message)
}

export function addTimeout(tool: Tool, { timeoutMs }: { readonly timeoutMs?: number }): Tool {
  return timeoutMs === undefined ? tool : withTimeout(tool, timeoutMs)
}

import { z } from 'zod'
import type { Tool } from '../../agent/tool.ts'
import { withTimeout } from '../../agent/tools/tool-limits.ts'
import { describeSchemaFault } from '../../errors/schema-issue.ts'
import { AppError } from '../../errors.ts'

/** What stands beside the name of a tool. */
export type ToolConfig = Readonly<Record<string, unknown>>

/** Of every built-in tool. */
export const anyTool = { timeoutMs: z.int().min(1).optional() }

/** What stands beside the name of a tool, checked. Throws `invalid_input`, naming the setting and those that there are. */
export function parseToolSettings<Schema extends z.ZodObject>(
  tool: string,
  schema: Schema,
  given: object,
): z.output<Schema> {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const { field, what, unknown } = describeSchemaFault(parsed.error)
  const names = Object.keys(schema.shape).join(', ')
  const message = unknown
    ? `The tool ${tool} has no setting ${unknown}. It has: ${names}.`
    : `Setting ${field} of the tool ${tool} ${what}.`
  throw new AppError('invalid_input', message)
}

export function addTimeout(
  tool: Tool,
  { timeoutMs }: { readonly timeoutMs?: number | undefined },
): Tool {
  return timeoutMs === undefined ? tool : withTimeout(tool, timeoutMs)
}

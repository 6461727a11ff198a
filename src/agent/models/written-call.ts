import { z } from 'zod'
import { parseJson5 } from '../json5.ts'
import { type ToolCall, UNNAMED_CALL } from '../model.ts'

const written = z.object({ name: z.string().trim().min(1), arguments: z.unknown() })

/** Most of a broken call that its problem repeats, in UTF-16 units. */
const MAX_ECHO = 200

/** The call that a model wrote as `{"name": …, "arguments": …}`; what cannot be read is kept, with what is wrong with it. */
export function readWrittenCall(text: string, id: string): ToolCall {
  const parsed = written.safeParse(parseLoosely(text))
  if (!parsed.success) return salvage(text.trim(), id)
  const { name, arguments: args } = parsed.data
  return { id, name, arguments: typeof args === 'string' ? args : JSON.stringify(args ?? {}) }
}

/** The same for a call that was begun for the model: who goes on with whole arguments may leave the last brace to us. */
export function readBegunCall(text: string, id: string): ToolCall {
  const closed = written.safeParse(parseLoosely(`${text}}`))
  return readWrittenCall(typeof closed.data?.arguments === 'object' ? `${text}}` : text, id)
}

/** A call that was cut off or is not JSON: its name if it has one, and its arguments as far as they go. */
function salvage(text: string, id: string): ToolCall {
  const name = /["']name["']\s*:\s*["']([^"']+)["']/.exec(text)?.[1]?.trim()
  const args = /["']arguments["']\s*:\s*([\s\S]*)$/.exec(text)?.[1]?.trim().replace(/\}$/, '').trim() ?? ''
  const advice = 'Write {"name": ..., "arguments": {...}} as JSON, whole.'
  const problem = `The tool call cannot be read: ${text.slice(0, MAX_ECHO)}. ${advice}`
  return { id, name: name || UNNAMED_CALL, arguments: name ? args : text, problem }
}

function parseLoosely(text: string): unknown {
  try {
    return parseJson5(text)
  } catch {
    return undefined // the caller keeps the text
  }
}

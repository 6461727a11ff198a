import { z } from 'zod'
import { parseJson5 } from '../../messages/function-call.ts'
import type { ToolDefinition } from '../../model.ts'

type WrittenCall = { readonly name: string; readonly arguments: string }

const jsonCall = z.object({
  name: z.string().trim().min(1),
  arguments: z.unknown().optional(),
  /** Llama's name for the arguments. */
  parameters: z.unknown().optional(),
})

export function parseCallBody(
  text: string,
  tools: readonly ToolDefinition[],
): WrittenCall | undefined {
  return parseJsonCall(text) ?? parseTagCall(text, tools)
}

/** Parses the format of Hermes and Qwen 2.5: `{"name": …, "arguments": …}`. */
export function parseJsonCall(text: string): WrittenCall | undefined {
  const parsed = jsonCall.safeParse(parseLoosely(text))
  if (!parsed.success) return undefined
  const { name, arguments: args = parsed.data.parameters } = parsed.data
  return { name, arguments: typeof args === 'string' ? args : JSON.stringify(args ?? {}) }
}

function parseLoosely(text: string): unknown {
  try {
    return parseJson5(text)
  } catch {
    return undefined // the caller keeps the text
  }
}

/** Format of Qwen 3 Coder: `<function=name><parameter=key>value</parameter></function>`. */
const FUNCTION_TAG = /^\s*<function=([^>\s]+)>([\s\S]*?)(?:<\/function>)?\s*$/
const PARAMETER_TAG = /<parameter=([^>]+)>\n?([\s\S]*?)\n?<\/parameter>/g

/** Format of GLM: the name, then `<arg_key>key</arg_key><arg_value>value</arg_value>`. */
const NAME_BEFORE_KEYS = /^\s*([\w.-]+)\s*(<arg_key>[\s\S]*)$/
const KEY_TAG = /<arg_key>([\s\S]*?)<\/arg_key>\s*<arg_value>\n?([\s\S]*?)\n?<\/arg_value>/g

function parseTagCall(text: string, tools: readonly ToolDefinition[]): WrittenCall | undefined {
  const forms = [
    { callPattern: FUNCTION_TAG, pair: PARAMETER_TAG },
    { callPattern: NAME_BEFORE_KEYS, pair: KEY_TAG },
  ]
  for (const { callPattern, pair } of forms) {
    const [, name, body] = callPattern.exec(text) ?? []
    if (name === undefined || body === undefined) continue
    const properties = tools.find(tool => tool.name === name)?.parameters.properties ?? {}
    const pairs = [...body.matchAll(pair)].map(([, key = '', value = '']) => {
      const schema = Object.hasOwn(properties, key.trim()) ? properties[key.trim()] : undefined
      return [key.trim(), schema?.type === 'string' ? value : readValue(value)] as const
    })
    return { name, arguments: JSON.stringify(Object.fromEntries(pairs)) }
  }
  return undefined
}

function readValue(value: string): unknown {
  const parsed = parseLoosely(value)
  return parsed === undefined ? value : parsed
}

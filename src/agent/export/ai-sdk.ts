// biome-ignore lint/suspicious/noTsIgnore: an error is expected only where the package is not there
/** @ts-ignore Its package is optional: without it, programs that check the types of libraries would not compile. */
import type { Tool as AITool, ToolSet } from 'ai'
import { type ContentItem, getItemValue } from '../message.ts'
import { callForValue, isToolContent, type Tool } from '../tool.ts'

type ModelOutput = Awaited<ReturnType<NonNullable<AITool['toModelOutput']>>>
type Json = Extract<ModelOutput, { type: 'json' }>['value']
type Part = Extract<ModelOutput, { type: 'content' }>['value'][number]

/** Converts tools for the AI SDK (package `ai`). Failures are results for the model. */
export async function toAISDK(tools: readonly Tool[]): Promise<ToolSet> {
  const { dynamicTool, jsonSchema } = await import('ai')
  const entries = tools.map(tool => {
    const { name, description, parameters } = tool
    const inputSchema = jsonSchema(parameters)
    const execute = (args: unknown, { abortSignal }: { abortSignal?: AbortSignal }) =>
      callForValue(tool, args, { signal: abortSignal })
    return [name, dynamicTool({ description, inputSchema, execute, toModelOutput })] as const
  })
  return Object.fromEntries(entries)
}

function toModelOutput({ output }: { readonly output: unknown }): ModelOutput {
  if (isToolContent(output)) return { type: 'content', value: output.content.map(toPart) }
  if (typeof output === 'string') return { type: 'text', value: output }
  return { type: 'json', value: output as Json } // by callForValue
}

/** Links stay text: the AI SDK would download them. */
function toPart(item: ContentItem): Part {
  const value = getItemValue(item)
  const [, mediaType, data] = /^data:([^;,]+)[^,]*;base64,(.*)$/s.exec(value) ?? []
  if ('text' in item || !mediaType || !data) return { type: 'text', text: value }
  return { type: 'image' in item ? 'image-data' : 'file-data', data, mediaType }
}

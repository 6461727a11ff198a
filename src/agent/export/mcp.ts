import { type ContentItem, isMedia } from '../message.ts'
import type { Tool } from '../tool.ts'
import { callChecked, isToolContent, joinTexts } from '../tool.ts'

type McpContent = { type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string }

type McpToolResult = {
  readonly content: McpContent[]
  readonly structuredContent?: Record<string, unknown>
  readonly isError?: boolean
}

type McpTools = {
  readonly list: () => { tools: McpToolListing[] }
  readonly call: (
    params: { readonly name: string; readonly arguments?: Record<string, unknown> | undefined },
    signal?: AbortSignal,
  ) => Promise<McpToolResult>
}

type McpToolListing = {
  name: string
  description: string
  inputSchema: { type: 'object'; [key: string]: unknown }
  annotations?: { readOnlyHint: boolean }
}

export function toMCP(tools: readonly Tool[]): McpTools {
  return {
    list: () => ({ tools: tools.map(toListing) }),
    async call({ name, arguments: args = {} }, signal) {
      const tool = tools.find(candidate => candidate.name === name)
      if (!tool) return toFailedResult(`Tool ${name} does not exist.`)
      const { result, problem } = await callChecked(tool, args, { signal })
      return problem === undefined ? toResult(result) : toFailedResult(problem)
    },
  }
}

function toListing({ name, description, parameters, isReadOnly }: Tool): McpToolListing {
  const hint = isReadOnly === undefined ? {} : { annotations: { readOnlyHint: isReadOnly } }
  return { name, description, inputSchema: { ...parameters }, ...hint }
}

function toResult(result: unknown): McpToolResult {
  if (isToolContent(result))
    return {
      content: [
        { type: 'text', text: joinTexts(result) },
        ...result.content.filter(isMedia).flatMap(toPicture),
      ],
    }
  const text = typeof result === 'string' ? result : (JSON.stringify(result) ?? '')
  const isObject = typeof result === 'object' && result !== null && !Array.isArray(result)
  const structuredContent = isObject ? { structuredContent: result as Record<string, unknown> } : {}
  return { content: [{ type: 'text', text }], ...structuredContent }
}

/** Returns embedded pictures; linked ones are in the text. */
function toPicture(item: ContentItem): McpContent[] {
  const [, mimeType, data] =
    'image' in item ? (/^data:(image\/[\w.+-]+);base64,(.*)$/s.exec(item.image) ?? []) : []
  return mimeType && data ? [{ type: 'image', data, mimeType }] : []
}

function toFailedResult(text: string): McpToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}

// biome-ignore lint/suspicious/noTsIgnore: an error is expected only where the package is not there
/** @ts-ignore Its package is optional: without it, programs that check the types of libraries would not compile. */
import type { ToolSet } from 'ai'
import { answerCall, type Tool } from '../tool.ts'

/** Converts tools for the AI SDK (package `ai`). Failures are results for the model. */
export async function toAISDK(tools: readonly Tool[]): Promise<ToolSet> {
  const { dynamicTool, jsonSchema } = await import('ai')
  const entries = tools.map(tool => {
    const { name, description, parameters } = tool
    const schema = jsonSchema(parameters)
    const execute = (args: unknown, { abortSignal }: { abortSignal?: AbortSignal }) =>
      answerCall(tool, args, { signal: abortSignal })
    return [name, dynamicTool({ description, inputSchema: schema, execute })] as const
  })
  return Object.fromEntries(entries)
}

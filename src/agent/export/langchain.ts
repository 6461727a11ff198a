import type { DynamicStructuredTool } from '@langchain/core/tools'
import { answerTo, type Tool } from '../tool.ts'

/** The tools for LangChain; the package `@langchain/core` must be installed. What fails is an answer for the model. */
export async function toLangChain(tools: readonly Tool[]): Promise<DynamicStructuredTool[]> {
  const { DynamicStructuredTool } = await import('@langchain/core/tools')
  return tools.map(tool => {
    const { name, description, parameters: schema } = tool
    return new DynamicStructuredTool({
      ...{ name, description, schema },
      func: (args, _manager, config) => answerTo(tool, args, { signal: config?.signal }),
    })
  })
}

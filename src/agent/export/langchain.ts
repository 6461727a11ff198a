// biome-ignore lint/suspicious/noTsIgnore: an error is expected only where the package is not there
/** @ts-ignore Its package is optional: without it, programs that check the types of libraries would not compile. */
import type {
  DynamicStructuredTool,
  StructuredToolCallInput,
  ToolRunnableConfig,
} from '@langchain/core/tools'
import { type ContentItem, getItemValue } from '../message.ts'
import { callForValue, isToolContent, type Tool } from '../tool.ts'

/** Converts tools for LangChain (`@langchain/core`). Failures are results for the model. */
export async function toLangChain(tools: readonly Tool[]): Promise<DynamicStructuredTool[]> {
  const { DynamicStructuredTool, ToolInputParsingException } = await import('@langchain/core/tools')
  const { ToolMessage } = await import('@langchain/core/messages')

  /** Lets the tool explain invalid arguments, for which LangChain would throw. */
  class AnsweringTool extends DynamicStructuredTool {
    readonly #tool: Tool

    constructor(tool: Tool) {
      const { name, description, parameters: schema } = tool
      super({
        name,
        description,
        schema,
        responseFormat: 'content_and_artifact',
        func: async (args, _manager, config?: ToolRunnableConfig) => {
          const value = await callForValue(tool, args, config)
          return [config?.toolCall?.id ? toMessageContent(value) : value, value]
        },
      })
      this.#tool = tool
    }

    override async call<
      Input extends StructuredToolCallInput<typeof this.schema, unknown>,
      Config extends ToolRunnableConfig | undefined,
    >(input: Input, config?: Config) {
      try {
        return await super.call(input, config)
      } catch (error) {
        if (!(error instanceof ToolInputParsingException)) throw error
        const value = await callForValue(this.#tool, input, { signal: config?.signal })
        const id = config?.toolCall?.id
        const answer = id
          ? new ToolMessage({ content: toMessageContent(value), tool_call_id: id, name: this.name })
          : value
        return answer // LangChain derives the result's type from the input
      }
    }
  }
  return tools.map(tool => new AnsweringTool(tool))
}

function toMessageContent(value: unknown) {
  if (isToolContent(value)) return value.content.map(toBlock)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function toBlock(item: ContentItem) {
  const value = getItemValue(item)
  if ('text' in item) return { type: 'text', text: value }
  if ('image' in item) return { type: 'image_url', image_url: { url: value } }
  return { type: 'audio' in item ? 'audio' : 'video' in item ? 'video' : 'file', url: value }
}

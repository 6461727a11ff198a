// biome-ignore lint/suspicious/noTsIgnore: an error is expected only where the package is not there
/** @ts-ignore Its package is optional: without it, programs that check the types of libraries would not compile. */
import type {
  DynamicStructuredTool,
  StructuredToolCallInput,
  ToolRunnableConfig,
} from '@langchain/core/tools'
import { answerCall, type Tool } from '../tool.ts'

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
        func: (args, _manager, config) => answerCall(tool, args, config),
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
        const content = await answerCall(this.#tool, input, { signal: config?.signal })
        const id = config?.toolCall?.id
        const answer = id
          ? new ToolMessage({ content, tool_call_id: id, name: this.name })
          : content
        return answer // LangChain derives the result's type from the input
      }
    }
  }
  return tools.map(tool => new AnsweringTool(tool))
}

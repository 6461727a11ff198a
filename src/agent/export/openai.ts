import type { ToolDefinition } from '../model.ts'

/** A tool as OpenAI's APIs take it. */
type OpenAIFunction = {
  readonly type: 'function'
  readonly function: Pick<ToolDefinition, 'name' | 'description' | 'parameters'>
}

/** The tools as OpenAI function definitions; what the model calls is run with `callTool`. */
export function toOpenAI(tools: readonly ToolDefinition[]): OpenAIFunction[] {
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }))
}

import type { ToolDefinition } from '../model.ts'

type OpenAIFunction = {
  readonly type: 'function'
  readonly function: Pick<ToolDefinition, 'name' | 'description' | 'parameters'>
}

export function toOpenAI(tools: readonly ToolDefinition[]): OpenAIFunction[] {
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }))
}

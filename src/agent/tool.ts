import { AppError } from '../errors.ts'
import { parseArguments } from './function-call.ts'
import type { ToolCall, ToolDefinition } from './model.ts'

/** Something a model may call. */
export interface Tool extends ToolDefinition {
  /** The answer for the model. `args` is unchecked: the tool parses it. What it throws becomes an answer, too. */
  call(args: unknown, signal?: AbortSignal): Promise<string>
}

/**
 * The answer to a call, whatever happens: a tool that is not there or that fails is told to the model, which can go on
 * from it. The model gets the sentence only; a stack would show it paths of this machine. Only an abort throws.
 */
export async function callTool(tools: readonly Tool[], call: ToolCall, signal?: AbortSignal): Promise<string> {
  if (call.problem) return call.problem
  const tool = tools.find(candidate => candidate.name === call.name)
  if (!tool) return `Tool ${call.name} does not exist.`
  try {
    return await tool.call(parseArguments(call.arguments), signal)
  } catch (error) {
    signal?.throwIfAborted()
    return `An error occurred when calling tool ${tool.name}: ${sentenceOf(error)}`
  }
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error instanceof AppError ? error.message : `${error.name}: ${error.message}`
}

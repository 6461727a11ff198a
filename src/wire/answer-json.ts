import { type AgentResult, cutOf } from '../agent/event.ts'
import type { ToolCall } from '../agent/model.ts'

/** What came of a question as the faces show it. */
export function answerJson(result: AgentResult) {
  const { question, text: answer, abstained, mode, confidence, citations, unsupported } = result
  const { unconfirmed, toolCitations, usage, calls, object, warnings } = result
  const incomplete = cutOf(result)
  return {
    ...{ question, answer, abstained, mode },
    ...(confidence !== undefined && { confidence: Number(confidence.toFixed(3)) }),
    citations,
    ...(toolCitations && { toolCitations }),
    ...(unsupported.length > 0 && { unsupported }),
    ...(unconfirmed && { unconfirmed }),
    ...(warnings && { warnings }),
    ...(usage && { usage }),
    ...(incomplete && { incomplete }),
    ...(calls && { calls: calls.map(callJson) }),
    ...(object !== undefined && { object }),
  }
}

/** Returns a call without the seal of its server. */
export function callJson({
  reasoningOrigin: _,
  ...call
}: ToolCall): Omit<ToolCall, 'reasoningOrigin'> {
  return call
}

/** How long it took, in the same JSON; `started` is by `performance.now()`. */
export function secondsSince(started: number) {
  return { seconds: (performance.now() - started) / 1000 }
}

export type Answer = ReturnType<typeof answerJson>

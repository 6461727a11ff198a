import { type AgentResult, getCutReason } from '../agent/event.ts'
import type { ToolCall } from '../agent/model.ts'
import type { AnswerJson, ToolCallJson } from '../wire/answer.ts'
import { roundConfidence } from './searching/hit-json.ts'

export function toAnswerJson(result: AgentResult): AnswerJson {
  const { confidence, toolCitations, unsupported, unconfirmed, warnings, usage, calls } = result
  const incomplete = getCutReason(result)
  return {
    question: result.question,
    answer: result.text,
    abstained: result.abstained,
    mode: result.mode,
    ...(confidence !== undefined && { confidence: roundConfidence(confidence) }),
    citations: result.citations,
    ...(toolCitations && { toolCitations }),
    ...(unsupported.length > 0 && { unsupported }),
    ...(unconfirmed && { unconfirmed }),
    ...(warnings && { warnings }),
    ...(result.corrected && { corrected: result.corrected }),
    ...(result.synonyms && { synonyms: result.synonyms }),
    ...(usage && { usage }),
    ...(incomplete && { incomplete }),
    ...(calls && { calls: calls.map(toCallJson) }),
    ...(result.object !== undefined && { object: result.object }),
  }
}

export function toCallJson({ reasoningOrigin: _, ...call }: ToolCall): ToolCallJson {
  return call
}

export function toElapsedSeconds(started: number) {
  return { seconds: (performance.now() - started) / 1000 }
}

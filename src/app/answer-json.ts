import type { Answer } from '../agent/answer.ts'

/** An answer as the faces show it; `started` is by `performance.now()`. */
export function answerJson(answer: Answer, started: number) {
  return { ...answer, seconds: (performance.now() - started) / 1000 }
}

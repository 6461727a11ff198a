import type { Check } from '../../wire/checks.ts'
import type { AnswerJudgement } from '../../wire/evaluation.ts'

export const enDoctor = {
  program: (version: string, node: string, platform: string, cores: number) =>
    `passim ${version} on Node ${node}, ${platform}, ${cores} cores`,
  store: (home: string, format: number, free: string) =>
    `store ${home} (format ${format}), ${free} free`,
  settings: (settings: string) => `derived from this machine: ${settings}`,
  formats: (names: string) => `formats ${names}`,
  embedders: (names: string) => `embedders ${names}`,
  hosts: (names: string) => `hosts that may be contacted: ${names}`,
  noHosts: 'none, so nothing leaves this machine',
  detail: (check: { readonly detail: string }) => check.detail,
  check: (isOk: boolean, name: Check['name'], text: string) =>
    `${isOk ? 'ok  ' : 'FAIL'} ${name}: ${text}`,
}

const MEASURES: Readonly<Record<keyof AnswerJudgement, string>> = {
  correct: 'correct',
  wronglyAbstained: 'refused an answerable question',
  rightlyAbstained: 'refused an unanswerable question',
  documentHit: 'document cited',
  pageHit: 'page cited',
  evidenceHit: 'evidence cited',
}

export const enEvaluation = {
  measure: (measure: keyof AnswerJudgement) => MEASURES[measure],
  of: (rate: string, count: number) => `${rate}  of ${count}`,
  misses: (ids: readonly string[]) => `misses: ${ids.join(', ')}`,
  times: (times: string) => `${times} per question`,
  earlierRun: 'the earlier run',
  against: (other: string, figures: string, queries: number) =>
    `against ${other}: ${figures}, ${queries} queries`,
}

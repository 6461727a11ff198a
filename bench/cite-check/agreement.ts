import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { type Interval, wilson } from './intervals.ts'
import type { QuestionSet } from './question-set.ts'
import { supportOf, type Verdict } from './support.ts'

const LABELLED = z.object({
  document: z.string(),
  sentence: z.string(),
  cited: z.string(),
  label: z.enum(['full', 'partial', 'none']),
})

export type Agreement = {
  readonly sentences: number
  /** Of three degrees, how often the checker gives the label; a sentence it cannot judge is no agreement. */
  readonly exact: Interval
  /** Fully supported or not: how often the two agree. */
  readonly supported: Interval
  /** Cohen's kappa of fully supported or not. */
  readonly kappa: number
  /** By label, how often each verdict was given. */
  readonly table: Readonly<Record<string, Readonly<Record<Verdict, number>>>>
}

/** How well the checker agrees with the labels that were given by reading, before it had seen the sentences. */
export function agreementOf(set: QuestionSet, labels: URL, language?: 'en' | 'zh'): Agreement {
  const all = readFileSync(labels, 'utf8').trim().split('\n')
  const labelled = all.map(line => LABELLED.parse(JSON.parse(line)))
  const kept = labelled.filter(({ document }) => !language || document.startsWith(language))
  const judged = kept.map(({ document: id, sentence, cited, label }) => {
    const document = set.documents.get(id)
    const units = document?.units.filter(({ text }) => text === cited) ?? []
    if (!document || units.length === 0) throw new Error(`labels: ${id} does not have "${cited}".`)
    return { label, verdict: supportOf(sentence, units, document).verdict }
  })
  return summarise(judged)
}

export function summarise(
  judged: readonly { readonly label: string; readonly verdict: Verdict }[],
): Agreement {
  const count = (holds: (item: (typeof judged)[number]) => boolean) => judged.filter(holds).length
  const both = count(({ label, verdict }) => (label === 'full') === (verdict === 'full'))
  const row = (label: string) =>
    Object.fromEntries(
      (['full', 'partial', 'none', 'unknown'] as const).map(verdict => [
        verdict,
        count(item => item.label === label && item.verdict === verdict),
      ]),
    ) as Record<Verdict, number> // every verdict has just been given a count
  return {
    sentences: judged.length,
    exact: wilson(
      count(({ label, verdict }) => label === verdict),
      judged.length,
    ),
    supported: wilson(both, judged.length),
    kappa: kappaOf(
      both / judged.length,
      count(({ label }) => label === 'full') / judged.length,
      count(({ verdict }) => verdict === 'full') / judged.length,
    ),
    table: { full: row('full'), partial: row('partial'), none: row('none') },
  }
}

/** Cohen's kappa of two judges who say yes with these shares and agree in that share. */
export function kappaOf(agreed: number, first: number, second: number): number {
  const chance = first * second + (1 - first) * (1 - second)
  return chance === 1 ? 1 : (agreed - chance) / (1 - chance)
}

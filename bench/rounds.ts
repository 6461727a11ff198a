import { computePercentile } from '../src/search/evaluation/metrics.ts'

/** One thing to measure, asked with the number of a question. */
export type Case = (at: number) => Promise<unknown>

export type Cost = { readonly p50: number; readonly p95: number; readonly cpuMs: number }

/** The questions are asked in so many rounds, short ones, so that what else the machine does falls on all alike. */
const ROUNDS = 20

/** Measures several things in turns, in milliseconds and in CPU of the process for each question. */
export class Rounds {
  readonly costs = new Map<string, Cost>()
  readonly #cases: Readonly<Record<string, Case>>
  readonly #questions: number
  readonly #clients: number

  constructor(cases: Readonly<Record<string, Case>>, questions: number, clients: number) {
    this.#cases = cases
    this.#questions = questions
    this.#clients = clients
  }

  /** Ask every question of every thing once: who asks first reads from disk what the others then find in memory. */
  async warmUp(): Promise<void> {
    for (const ask of Object.values(this.#cases))
      for (let round = 0; round < ROUNDS; round++) await this.#round(ask, round)
  }

  async run(): Promise<void> {
    const measured = Object.entries(this.#cases).map(([name, ask]) => ({
      name,
      ask,
      times: [] as number[],
      cpuMs: 0,
    }))
    for (let round = 0; round < ROUNDS; round++) {
      for (const one of measured) {
        const before = process.cpuUsage()
        one.times.push(...(await this.#round(one.ask, round)))
        const { user, system } = process.cpuUsage(before)
        one.cpuMs += (user + system) / 1000
      }
    }
    for (const { name, times, cpuMs } of measured) {
      const cost = {
        p50: computePercentile(times, 0.5),
        p95: computePercentile(times, 0.95),
        cpuMs: cpuMs / times.length,
      }
      this.costs.set(name, cost)
    }
  }

  /** Every `ROUNDS`th question, by so many clients at a time. */
  async #round(ask: Case, round: number): Promise<readonly number[]> {
    const times: number[] = []
    let next = round
    const client = async () => {
      for (let at = next; at < this.#questions; at = next) {
        next += ROUNDS
        const started = performance.now()
        await ask(at)
        times.push(performance.now() - started)
      }
    }
    await Promise.all(Array.from({ length: this.#clients }, client))
    return times
  }
}

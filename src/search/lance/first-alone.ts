/**
 * Lets the first question to an index be answered alone: those that come meanwhile wait for it. LanceDB loads a full-text index anew
 * for each question that finds it not loaded: 16 at once over 100,000 chunks took 2.3 GiB, which the process keeps, instead of .3.
 */
export class FirstAlone {
  #isLoaded = false
  #first: Promise<void> | undefined

  /** An answer of nothing may have come without loading anything, and so may none: the next one is alone, too. */
  async ask<Answer extends { readonly length: number }>(
    ask: () => Promise<Answer>,
  ): Promise<Answer> {
    while (this.#first && !this.#isLoaded) await this.#first
    if (this.#isLoaded) return await ask()
    const answer = ask()
    this.#first = this.#end(answer)
    return await answer
  }

  /** What goes wrong, whoever asked is told. */
  async #end(answer: Promise<{ readonly length: number }>): Promise<void> {
    const found = await answer.catch(() => [])
    this.#isLoaded = found.length > 0
    this.#first = undefined
  }
}

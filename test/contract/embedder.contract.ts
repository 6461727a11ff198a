import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Embedder } from '../../src/ingest/embed/embedder.ts'

/** What every Embedder promises. `open` gives one ready for use. */
export function embedderContract(name: string, open: () => Promise<Embedder>) {
  describe(`${name} as an Embedder`, () => {
    let embedder: Embedder
    const one = async (text: string, role: 'query' | 'passage' = 'passage') =>
      (await embedder.embed([text], role))[0]!
    beforeAll(async () => {
      embedder = await open()
      await embedder.embed(['warm up'], 'query')
    })
    afterAll(() => embedder.close())

    test('its id names model and version', () => expect(embedder.id).toMatch(/^[^@\s]+@\S+$/))
    test('it reads a positive number of tokens', () =>
      expect(embedder.maxTokens).toBeGreaterThan(0))
    test('no text gives no vector', async () =>
      expect(await embedder.embed([], 'passage')).toEqual([]))

    test('every text gets one vector of the stated length and norm 1', async () => {
      const vectors = await embedder.embed(['a river', '', '数据库', ' \n '], 'passage')
      expect(vectors.map(vector => vector.length)).toEqual(Array(4).fill(embedder.dimensions))
      for (const vector of vectors) expect(dot(vector, vector)).toBeCloseTo(1, 4)
    })

    test('vectors come in the order of the texts', async () => {
      const texts = ['one', 'two two', 'three three three', 'four', 'five', 'six']
      const together = await embedder.embed(texts, 'passage')
      for (const [at, text] of texts.entries())
        expect(dot(together[at]!, await one(text))).toBeCloseTo(1, 4)
    })

    test('a text has one vector, alone or among others', async () => {
      const [first] = await embedder.embed(
        ['the same', 'a much longer text that stands beside it'],
        'passage',
      )
      expect(first).toEqual(await one('the same'))
    })

    test('a question is nearer to the passage that shares its words', async () => {
      const question = await one('how deep is the lake', 'query')
      const [near, far] = await embedder.embed(
        ['the lake is deep', 'invoices are due in March'],
        'passage',
      )
      expect(dot(question, near!)).toBeGreaterThan(dot(question, far!))
    })

    test('a text longer than it reads still has a vector', async () => {
      expect(await one('long '.repeat(embedder.maxTokens + 100))).toHaveLength(embedder.dimensions)
    })

    test('an aborted signal stops the call with its reason', async () => {
      const reason = new Error('enough')
      await expect(embedder.embed(['late'], 'query', AbortSignal.abort(reason))).rejects.toBe(
        reason,
      )
    })

    test('calls at once do not mix their answers', async () => {
      const alone = await Promise.all(['red', 'green', 'blue'].map(text => one(text)))
      const rows = await Promise.all(
        [['red', 'green'], ['blue'], ['green']].map(texts => embedder.embed(texts, 'passage')),
      )
      expect(rows.flat()).toEqual([alone[0], alone[1], alone[2], alone[1]])
    })
  })

  test(`${name} is model_unavailable once closed`, async () => {
    const embedder = await open()
    await embedder.close()
    await embedder.close()
    await expect(embedder.embed(['after'], 'query')).rejects.toMatchObject({
      code: 'model_unavailable',
    })
  })
}

export function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0)
}

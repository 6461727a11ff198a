/**
 * What hybrid search finds while some documents have no vectors yet: nDCG@10, recall@10 and MRR@10 of judged sets, with the vectors
 * of all passages and with those of a part of them.
 * usage: npx tsx bench/some-vectors.ts [PASSAGES 600] [QUERIES 150] [FOLDER...]   (sets as passim eval takes them)
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connect } from '@lancedb/lancedb'
import { open } from '../src/app.ts'

const [corpus = '600', queries = '150', ...folders] = process.argv.slice(2)
const folder = await mkdtemp(path.join(tmpdir(), 'passim-bench-'))
const home = path.join(folder, 'home')
for (const set of folders) await measure(set)
await rm(folder, { recursive: true })

async function measure(set: string): Promise<void> {
  await rm(home, { recursive: true, force: true })
  console.log(path.basename(set))
  console.log(`  all with vectors   ${await found(set)}`)
  for (const [name, where] of [
    ['three of four with', 'version % 4 = 0'],
    ['half with vectors ', 'version % 2 = 0'],
    ['one of four with  ', 'version % 4 != 1'],
    ['none with vectors ', 'true'],
  ] as const) {
    await withoutVectors(where)
    console.log(`  ${name} ${await found(set)}`)
  }
}

async function found(set: string): Promise<string> {
  const passim = await open({ home, environment: {} })
  const options = { modes: ['hybrid'] as const, corpus: Number(corpus), queries: Number(queries) }
  const { hybrid } = (await passim.evaluations.search(set, options)).modes
  await passim.close()
  const { ndcg10, recall10, mrr10 } = hybrid! // it was asked for
  return `nDCG@10 ${ndcg10.toFixed(3)}  recall@10 ${recall10.toFixed(3)}  MRR@10 ${mrr10.toFixed(3)}`
}

/** As if they had not been embedded yet. */
async function withoutVectors(where: string): Promise<void> {
  const connection = await connect(path.join(home, 'index'))
  for (const name of await connection.tableNames()) {
    const table = await connection.openTable(name)
    await table.update({ where, valuesSql: { vector: 'NULL' } })
  }
}

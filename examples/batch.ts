/**
 * Ask many questions at low priority, through OpenAI's client. Run `passim serve`, then:
 *
 *   npx tsx examples/batch.ts http://127.0.0.1:7700 < questions.txt
 */
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import OpenAI, { toFile } from 'openai'

type Line = {
  readonly custom_id: string
  readonly response: { readonly body: { readonly choices: readonly Choice[] } } | null
}
type Choice = { readonly message: { readonly content: string } }

/** Returns the answers in the order of the questions; undefined for one that failed. */
export async function askAll(
  client: OpenAI,
  model: string,
  questions: readonly string[],
): Promise<readonly (string | undefined)[]> {
  const requests = questions.map((content, index) => ({
    custom_id: `${index}`,
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model, messages: [{ role: 'user', content }] },
  }))
  const lines = requests.map(request => JSON.stringify(request)).join('\n')
  const input = await client.files.create({
    file: await toFile(Buffer.from(lines), 'questions.jsonl'),
    purpose: 'batch',
  })
  let batch = await client.batches.create({
    input_file_id: input.id,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
  })
  while (['validating', 'in_progress', 'finalizing'].includes(batch.status)) {
    await sleep(500)
    batch = await client.batches.retrieve(batch.id) // also from another program: the batch goes on
  }
  if (!batch.output_file_id) return questions.map(() => undefined)
  const output = await (await client.files.content(batch.output_file_id)).text()
  const answers = new Map<string, string | undefined>()
  for (const line of output.split('\n').filter(Boolean)) {
    const { custom_id, response } = JSON.parse(line) as Line // OpenAI's form of a result
    answers.set(custom_id, response?.body.choices[0]?.message.content)
  }
  return questions.map((_, index) => answers.get(`${index}`))
}

if (process.argv[1] === import.meta.filename) {
  const [, , service = 'http://127.0.0.1:7700', collection = 'default'] = process.argv
  const client = new OpenAI({
    baseURL: `${service}/v1`,
    apiKey: process.env.PASSIM_API_KEY ?? 'none',
  })
  const questions = (await text(process.stdin)).split('\n').filter(Boolean)
  for (const answer of await askAll(client, collection, questions)) console.log(answer ?? 'failed')
}

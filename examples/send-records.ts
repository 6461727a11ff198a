/**
 * Send rows of a database to a service, each as a document with an id of its own. Run `passim serve`, then:
 *
 *   npx tsx examples/send-records.ts http://127.0.0.1:7700 < tickets.jsonl
 *
 * Each line is an object such as {"id": "4711", "title": "Printer jams", "text": "…", "attributes": {"team": "it"}}. The same id
 * again replaces the document; the same content again does nothing.
 */
import { Readable } from 'node:stream'

type Sent = {
  readonly line: number
  readonly id?: string
  readonly result?: 'created' | 'replaced' | 'updated' | 'unchanged'
  readonly error?: { readonly code: string; readonly message: string }
}

/** Yields the answer to each line while the next ones are sent. */
export async function* sendLines(
  service: string,
  collection: string,
  lines: Readable,
): AsyncGenerator<Sent> {
  const url = `${service}/api/collections/${encodeURIComponent(collection)}/documents`
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: Readable.toWeb(lines),
    duplex: 'half',
  })
  if (!response.ok || !response.body) throw new Error(await response.text())
  let rest = ''
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const answers = (rest + piece).split('\n')
    rest = answers.pop() ?? ''
    for (const answer of answers) yield JSON.parse(answer) as Sent // see PutDocumentLine in /openapi.json
  }
}

if (process.argv[1] === import.meta.filename) {
  const [, , service = 'http://127.0.0.1:7700', collection = 'tickets'] = process.argv
  for await (const { line, id, result, error } of sendLines(service, collection, process.stdin))
    console.log(error ? `${line}: ${error.message}` : `${line}: ${id} ${result}`)
}

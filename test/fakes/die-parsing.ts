/**
 * Indexes a folder by keywords and dies when the last block of the file `last.txt` has been taken, before anything of it is stored.
 * usage: node --import tsx test/fakes/die-parsing.ts HOME FOLDER
 */
import { open } from '../../src/app.ts'
import { textParser } from '../../src/ingest/parse/parsers/text/text.ts'
import { environmentOf } from './catalog-environment.ts'

const [home, folder] = process.argv.slice(2)
const parser: typeof textParser = {
  ...textParser,
  async *parse(input, signal) {
    yield* textParser.parse(input, signal)
    if (input.name === 'last.txt') process.kill(process.pid, 'SIGKILL')
  },
}
const passim = await open({ home: home!, environment: environmentOf(home!), parsers: [parser] })
await passim.index([folder!], { withoutVectors: true })

/**
 * A process that answers in a conversation with a tool that leaves something behind, or goes on with an answer that another
 * one began; tells its parent how the run ended.
 * usage: fork('test/fakes/take-notes.ts', [HOME, MODEL_URL, NOTES, CONVERSATION, QUESTION?], { execArgv: ['--import', 'tsx'] })
 */

import { fileURLToPath } from 'node:url'
import { open } from '../../src/app.ts'
import { environmentOf } from './catalog-environment.ts'
import { HashingEmbedder } from './hashing-embedder.ts'

const [home, url, notes, conversation, question] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string?,
] // the parent gives them
const server = fileURLToPath(new URL('mcp-server.ts', import.meta.url))
const tools = {
  command: process.execPath,
  args: ['--import', 'tsx', server],
  env: { NOTES: notes },
}
const passim = await open({
  ...{ home, environment: environmentOf(home), embedder: new HashingEmbedder() },
  settings: {
    model: { url, name: 'scripted' },
    agent: { mcpServers: { tools }, mcpConnectMs: 60_000 },
  },
})
const { conversationService: conversing } = passim
const run = question
  ? await conversing.ask({ question, plain: true }, conversation)
  : await conversing.resume(conversation, {})
process.send?.('begun')
for await (const _ of conversing.readEvents(
  run.id,
  run.firstEvent - 1,
  new AbortController().signal,
));
process.send?.((await conversing.findRun(run.id))?.status)
await passim.close()
process.disconnect()

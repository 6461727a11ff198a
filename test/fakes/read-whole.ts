/**
 * A process that answers with a tool that reads whole documents, or goes on with an answer that another one began; tells its
 * parent how the run ended.
 * usage: fork('test/fakes/read-whole.ts', [HOME, MODEL_URL, CONVERSATION, QUESTION?], { execArgv: ['--import', 'tsx'] })
 */
import { open } from '../../src/app.ts'
import { environmentOf } from './catalog-environment.ts'
import { HashingEmbedder } from './hashing-embedder.ts'

const [home, url, conversation, question] = process.argv.slice(2) as [
  string,
  string,
  string,
  string?,
] // the parent gives them
const passim = await open({
  ...{ home, environment: environmentOf(home), embedder: new HashingEmbedder() },
  settings: {
    model: { url, name: 'scripted' },
    conversations: { skills: { 1: { name: 'whole', tools: ['summarise'] } } },
    tools: { summarise: { partTokens: 200, parallel: 1 } },
  },
})
const { conversationService: conversing } = passim
const run = question
  ? await conversing.ask({ question, skill: 1 }, conversation)
  : await conversing.resume(conversation, {})
for await (const _ of conversing.readEvents(
  run.id,
  run.firstEvent - 1,
  new AbortController().signal,
));
process.send?.((await conversing.findRun(run.id))?.status)
await passim.close()
process.disconnect()

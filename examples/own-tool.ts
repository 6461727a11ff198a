/**
 * An agent with a tool of one's own beside Passim's. It needs a chat model (PASSIM_MODEL_URL, PASSIM_MODEL):
 *
 *   npx tsx examples/own-tool.ts "What does the contract cost in euros, if it says dollars?"
 *
 * In a program that has Passim installed, import from 'passim' instead of '../src/index.ts'.
 */
import { type AgentResult, defineTool, type Passim, withTimeout } from '../src/index.ts'
import { runExample } from './run.ts'

/** A tool says what it takes; what it gives back is shown to the model. */
export const convert = defineTool({
  name: 'convert',
  description: 'Convert an amount of US dollars to euros.',
  parameters: [{ name: 'dollars', type: 'number', required: true, description: 'The amount.' }],
  isReadOnly: true,
  call: async ({ dollars }) => ({ euros: Number(dollars) * 0.9 }),
})

/** The agent looks things up in the documents, converts, and answers. */
export async function askWithTool(passim: Passim, question: string): Promise<AgentResult> {
  const tools = ['retrieval', withTimeout(convert, 5_000)]
  const agent = passim.agent({ name: 'clerk', instructions: 'You are a careful clerk.', tools })
  return await agent.run(question).result
}

await runExample(
  { file: import.meta.filename, usage: 'QUESTION' },
  async (passim, [question = '']) => {
    const { text } = await askWithTool(passim, question)
    console.log(text)
  },
)

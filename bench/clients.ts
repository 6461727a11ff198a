/**
 * Runs the unmodified clients (openai, ai with two providers, @langchain/openai) behind a validator of OpenAI's contract, again
 * and again, and says how much of what they were answered is valid. Fails where something is not.
 * usage: npx tsx bench/clients.ts [CALLS 2000]      (needs ../shared/contract or $PASSIM_SHARED)
 */
import { CheckedFetch } from '../test/clients/checked-fetch.ts'
import { replyTo, SCENARIOS } from '../test/clients/clients.ts'
import { findContract, OpenAIContract } from '../test/contract/openai-contract.ts'
import { startTravel } from '../test/server/travel.ts'

const wanted = Number(process.argv[2] ?? 2_000)
const file = findContract()
if (!file) throw new Error('OpenAI’s contract is not there: set PASSIM_SHARED.')
const travel = await startTravel(replyTo)
const baseURL = `${travel.server.url}/v1`
const contract = new OpenAIContract(file)
const share = Math.ceil(wanted / Object.keys(SCENARIOS).length)
let [calls, events, problems] = [0, 0, 0]
for (const [name, scenario] of Object.entries(SCENARIOS)) {
  const checked = new CheckedFetch(baseURL, contract)
  while (checked.calls < share) await scenario({ baseURL, store: travel.store, fetch: checked.fetch })
  console.log(`${name}: ${checked.calls} answers, ${checked.events} events, ${checked.problems.length} problems`)
  for (const problem of new Set(checked.problems)) console.log(`  ${problem}`)
  calls += checked.calls
  events += checked.events
  problems += checked.problems.length
}
console.log(
  `${calls} answers and ${events} events, ${problems} problems; ${contract.checked.size} routes with a schema`,
)
await travel.close()
if (problems > 0) process.exitCode = 1

/**
 * Compares two stores that differ in documents that the readers do not see, over random sets of
 * documents, readers and questions: every answer must be equal byte by byte, but for ids and
 * measured seconds. Ends with exit code 1 if one differs.
 *
 *     nice -n 15 npx tsx test/soak/interference.ts [SETS 10000] [SEED] [SETS_PER_PAIR 500]
 */
import { type Walk, walkSets } from '../server/interference.ts'

const [sets = 10_000, seed = Date.now() % 1_000_000, perPair = 500] = process.argv
  .slice(2)
  .map(Number)
const started = performance.now()
let total = { sets: 0, answers: 0, states: 0, differences: 0 }

function add({ sets, answers, states, differences }: Walk) {
  return {
    sets: total.sets + sets,
    answers: total.answers + answers,
    states: total.states + states,
    differences: total.differences + differences.length,
  }
}

console.log(`seed ${seed}`)
for (let pair = 0; total.sets < sets; pair++) {
  const walk = await walkSets({ sets: Math.min(perPair, sets - total.sets), seed: seed + pair })
  total = add(walk)
  for (const { set, request, answers } of walk.differences)
    console.log(`seed ${seed + pair}, set ${set}: ${request}\n  ${answers.join('\n  ')}`)
  const { user, system } = process.cpuUsage()
  const seconds = [performance.now() - started, (user + system) / 1000].map(ms =>
    Math.round(ms / 1000),
  )
  console.log(JSON.stringify({ ...total, seconds: seconds[0], cpuSeconds: seconds[1] }))
  if (walk.differences.length > 0 && walk.sets < perPair) break
}
process.exitCode = total.differences > 0 ? 1 : 0

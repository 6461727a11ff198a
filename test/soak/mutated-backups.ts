/** Imports changed backups: `npx tsx test/soak/mutated-backups.ts [COUNT] [FIRST SEED]`. Prints what became of them by kind of change. */
import { importMutated } from '../fakes/import-mutated.ts'

const [count = 500, seed = 1] = process.argv.slice(2).map(Number)
const results = new Map<string, number>()
let problems = 0
for await (const { kind, result, problem, seed: own } of importMutated(count, seed)) {
  const key = `${kind}: ${result.split(':', 1)[0]}`
  results.set(key, (results.get(key) ?? 0) + 1)
  if (!problem) continue
  problems++
  console.log(`seed ${own}, ${kind}: ${problem}`)
}
for (const [key, number] of [...results].toSorted())
  console.log(`${String(number).padStart(5)}  ${key}`)
console.log(`${count} imported or refused, ${problems} problems`)
process.exitCode = problems > 0 ? 1 : 0

// Prints the CPU seconds of `npm test` by folder of test/, from the log that test/cpu-seconds.ts writes, and fails when they exceed
// the budget by half: two cores end 560 CPU seconds within six minutes.
import { readFileSync } from 'node:fs'

const BUDGET_SECONDS = 560
const MAX_SECONDS = 1.5 * BUDGET_SECONDS

const byFolder = new Map()
for (const line of readFileSync(process.argv[2], 'utf8').split('\n').filter(Boolean)) {
  const [seconds, file] = line.split('\t')
  const [, folder] = file.split('/')
  byFolder.set(folder, (byFolder.get(folder) ?? 0) + Number(seconds))
}
const sum = [...byFolder.values()].reduce((a, b) => a + b, 0)
for (const [folder, seconds] of [...byFolder].toSorted(([, a], [, b]) => b - a)) {
  console.log(`${seconds.toFixed(1).padStart(8)} ${folder}`)
}
console.log(`${sum.toFixed(1).padStart(8)} CPU seconds in all; the budget is ${BUDGET_SECONDS}, and more than ${MAX_SECONDS} fail`)
process.exitCode = byFolder.size > 0 && sum <= MAX_SECONDS ? 0 : 1

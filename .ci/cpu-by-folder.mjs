// Prints the CPU seconds of `npm test` by folder of test/, from the log that test/cpu-seconds.ts writes. They inform and fail nothing:
// the same tests take half as many again on a busy machine.
import { readFileSync } from 'node:fs'

/** Two cores end them within six minutes. */
const BUDGET_SECONDS = 560

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
console.log(`${sum.toFixed(1).padStart(8)} CPU seconds in all; the budget of a quiet machine is ${BUDGET_SECONDS}`)
process.exitCode = byFolder.size > 0 ? 0 : 1

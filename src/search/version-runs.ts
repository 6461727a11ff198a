export function findRuns(ascending: readonly number[]): readonly (readonly [number, number])[] {
  const runs: [number, number][] = []
  for (const number of ascending) {
    const run = runs.at(-1)
    if (run && number <= run[1] + 1) run[1] = number
    else runs.push([number, number])
  }
  return runs
}

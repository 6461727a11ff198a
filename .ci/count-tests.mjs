// Prints `N passed, N failed[, N skipped]` from the report of vitest's JSON reporter; fails unless tests ran and all passed.
import { readFileSync } from 'node:fs'

const report = readReport(process.argv[2])
const unloaded = report.testResults.filter(file => file.status === 'failed' && !file.assertionResults.some(isFailed)).length
const passed = report.numPassedTests
const failed = report.numFailedTests + unloaded
const skipped = report.numPendingTests + report.numTodoTests
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exitCode = report.success && passed > 0 && failed === 0 ? 0 : 1

function isFailed(test) {
  return test.status === 'failed'
}

/** A run that died before it could report counts as one failure. */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return { success: false, numPassedTests: 0, numFailedTests: 1, numPendingTests: 0, numTodoTests: 0, testResults: [] }
  }
}

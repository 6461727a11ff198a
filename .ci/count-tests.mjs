// Prints `N passed, N failed[, N skipped]` from the reports of vitest's JSON reporter; fails unless each ran tests and all passed.
import { readFileSync } from 'node:fs'

const reports = process.argv.slice(2).map(readReport)
const passed = sum(report => report.numPassedTests)
const failed = sum(report => report.numFailedTests + countUnloaded(report))
const skipped = sum(report => report.numPendingTests + report.numTodoTests)
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exitCode = failed === 0 && reports.every(report => report.success && report.numPassedTests > 0) ? 0 : 1

function sum(count) {
  return reports.reduce((total, report) => total + count(report), 0)
}

/** Files that failed without a failed test in them. */
function countUnloaded({ testResults }) {
  return testResults.filter(file => file.status === 'failed' && !file.assertionResults.some(isFailed)).length
}

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

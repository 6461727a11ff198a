import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

test('the programs of README.md use the package as it is', () => {
  const programs = [
    ...readFileSync(path.join(ROOT, 'README.md'), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms),
  ]
  expect(programs.length).toBeGreaterThan(0)
  for (const [at, [, program = '']] of programs.entries())
    expect(problemsOf(`readme-${at}.ts`, program)).toEqual([])
})

test.each([
  ["passim.agent({ tools: [] }).run('x', { knowledge: 'y' })", []],
  ["passim.agent({ tools: [] }).run('x', { spoken: [] })", [/'spoken' does not exist/]],
  ["passim.agent({ tools: [] }).run('x', { within: 'y' })", [/'within' does not exist/]],
  ["passim.ask({ question: 'x', within: 'y' })", [/'within' does not exist/]],
])('options whose values only Passim has are in no public type: %s', (call, problems) => {
  const program = `import { open } from 'passim'\nconst passim = await open()\n${call}\nexport {}`
  const found = problemsOf('options.ts', program)
  expect(found).toEqual(problems.map(problem => expect.stringMatching(problem)))
})

/** As a program of somebody who has the package. */
function problemsOf(name: string, program: string): readonly string[] {
  const file = path.join(ROOT, 'examples', name)
  const options: ts.CompilerOptions = {
    ...{
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      strict: true,
      noEmit: true,
      skipLibCheck: true,
    },
    ...{ types: ['node'], paths: { passim: [path.join(ROOT, 'dist/index.d.ts')] } },
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile } = host
  host.getSourceFile = (wanted, version) =>
    wanted === file ? ts.createSourceFile(file, program, version) : getSourceFile(wanted, version)
  host.fileExists = wanted => wanted === file || ts.sys.fileExists(wanted)
  const compiled = ts.createProgram([file], options, host)
  return ts
    .getPreEmitDiagnostics(compiled)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SOURCE = path.join(ROOT, 'src')
const BUILT = path.join(ROOT, 'dist')

/** Before the tests: brings `dist`, which they run against, up to its source. */
export default async function buildWhenStale(): Promise<void> {
  if (!existsSync(BUILT)) {
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: 'inherit' })
    return
  }
  if (newest(SOURCE) < newest(BUILT)) return
  console.log('src is newer than dist: building without types')
  await transpile()
  execFileSync(process.execPath, ['bundle.mjs'], { cwd: ROOT, stdio: 'inherit' })
}

/** What `npm run build` writes but for the declarations, in seconds: types are checked by `npm run typecheck`. */
async function transpile(): Promise<void> {
  const { default: ts } = await import('typescript')
  const file = path.join(ROOT, 'tsconfig.build.json')
  const { options: settings } = ts.getParsedCommandLineOfConfigFile(
    file,
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic },
  )!
  const options = { ...settings, module: ts.ModuleKind.ESNext } // which nodenext is, but one file alone cannot tell
  const names = filesBelow(SOURCE).filter(name => /\.ts$/.test(name) && !name.startsWith('web')) // the bundler reads the page's own
  const outputs = new Map(names.map(name => [name.replace(/\.ts$/, '.js'), name]))
  for (const name of filesBelow(BUILT)) {
    const isOfSource = name.endsWith('.js') && !/^(?:bundle|client|web)\b/.test(name)
    if (isOfSource && !outputs.has(name)) rmSync(path.join(BUILT, name))
  }
  for (const [output, name] of outputs) {
    const [from, to] = [path.join(SOURCE, name), path.join(BUILT, output)]
    // The bundler has written over its entry.
    if (output !== 'cli.js' && existsSync(to) && statSync(from).mtimeMs < statSync(to).mtimeMs)
      continue
    const { outputText } = ts.transpileModule(readFileSync(from, 'utf8'), {
      compilerOptions: options,
      fileName: from,
    })
    mkdirSync(path.dirname(to), { recursive: true })
    writeFileSync(to, outputText)
  }
}

function onUnRecoverableConfigFileDiagnostic({
  messageText,
}: {
  readonly messageText: unknown
}): never {
  throw new Error(`tsconfig.build.json: ${JSON.stringify(messageText)}`)
}

/** Time of the last change of a file below `folder`, in ms since 1970; -1 when there is none. */
function newest(folder: string): number {
  return Math.max(-1, ...filesBelow(folder).map(name => statSync(path.join(folder, name)).mtimeMs))
}

/** Names relative to the folder. */
function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry =>
    entry.isFile(),
  )
  return entries.map(entry => path.relative(folder, path.join(entry.parentPath, entry.name)))
}

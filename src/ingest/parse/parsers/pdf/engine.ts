import { createRequire } from 'node:module'
import { getSystemCode } from '../../../../errors.ts'

type Engine = typeof import('pdfjs-dist/legacy/build/pdf.mjs')

/** Reading announces fonts but never draws with them. */
class UndrawnFont {
  readonly loaded = Promise.resolve(this)
}

export const FONTLESS_DOCUMENT = { fonts: { add() {}, delete() {} } } as never // the part that is used, which Node's types lack

let engine: Promise<Engine> | undefined

export function loadEngine(): Promise<Engine> {
  engine ??= load()
  return engine
}

/**
 * Undoes the polyfills of pdf.js: that of `push` slows pdf.js by a fifth. V8 keeps half as much
 * text of the minified builds.
 */
async function load(): Promise<Engine> {
  const push = Object.getOwnPropertyDescriptor(Array.prototype, 'push')!
  Object.assign(globalThis, { DOMMatrix: AffineMatrix, FontFace: UndrawnFont })
  const restore = installStubs()
  try {
    const main: Engine = await import('pdfjs-dist/legacy/build/pdf.min.mjs' as string) // its types are those of pdf.mjs
    await import('pdfjs-dist/legacy/build/pdf.worker.min.mjs' as string) // it has no types
    return main
  } finally {
    restore()
    Object.defineProperty(Array.prototype, 'push', push)
  }
}

/**
 * Keeps pdf.js from loading a native canvas and Node's web client, which take 26 MiB and most
 * of the loading time.
 */
function installStubs(): () => void {
  const names = ['ImageData', 'Path2D', ...(isUnused('Response') ? ['Response'] : [])]
  const before = names.map(
    name => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  )
  for (const name of names)
    Object.defineProperty(globalThis, name, { value: class {}, configurable: true })
  const restoreCanvas = stubCanvas()
  return () => {
    restoreCanvas()
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor)
      else Reflect.deleteProperty(globalThis, name)
    }
  }
}

/** Node makes these at their first use. */
function isUnused(name: string): boolean {
  return Object.getOwnPropertyDescriptor(globalThis, name)?.get !== undefined
}

/** pdf.js loads this optional package if it is installed. */
function stubCanvas(): () => void {
  const require = createRequire(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
  const file = resolveModule(require, '@napi-rs/canvas')
  if (!file || require.cache[file]) return () => {}
  require.cache[file] = { id: file, filename: file, loaded: true, exports: {} } as NodeJS.Module // all that require reads of it
  return () => Reflect.deleteProperty(require.cache, file)
}

function resolveModule(require: NodeJS.Require, name: string): string | undefined {
  try {
    return require.resolve(name)
  } catch (error) {
    if (getSystemCode(error) === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/**
 * Part of `DOMMatrix` that pdf.js needs, so that it does not use an optional native canvas with
 * other results.
 */
class AffineMatrix {
  a = 1
  b = 0
  c = 0
  d = 1
  e = 0
  f = 0

  scaleSelf(x: number, y: number): this {
    this.a *= x
    this.b *= x
    this.c *= y
    this.d *= y
    return this
  }

  translateSelf(x: number, y: number): this {
    this.e += this.a * x + this.c * y
    this.f += this.b * x + this.d * y
    return this
  }
}

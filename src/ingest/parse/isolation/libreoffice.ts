import { copyFile, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { localizable } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import type { Parser, ParserEvent, ParserInput } from '../parser.ts'
import { runLimited } from './limited-program.ts'
import type { ParseLimits } from './parse-limits.ts'

const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument'
const TEXT: Target = { extension: 'odt', mediaType: `${OPEN_DOCUMENT}.text` }
const SHEET: Target = { extension: 'ods', mediaType: `${OPEN_DOCUMENT}.spreadsheet` }
const SLIDES: Target = { extension: 'odp', mediaType: `${OPEN_DOCUMENT}.presentation` }
const PAGES: Target = { extension: 'pdf', mediaType: 'application/pdf' }

type Target = { readonly extension: 'odt' | 'ods' | 'odp' | 'pdf'; readonly mediaType: string }

type Readers = Readonly<Record<Target['extension'], Parser>>

/** Formats that Passim does not read itself. */
const TARGETS: Readonly<Record<string, Target>> = {
  'application/vnd.wordperfect': TEXT,
  'application/vnd.sun.xml.writer': TEXT,
  'application/vnd.sun.xml.calc': SHEET,
  'application/vnd.sun.xml.impress': SLIDES,
  [`${OPEN_DOCUMENT}.graphics`]: PAGES,
  'application/vnd.apple.iwork': PAGES,
  'application/vnd.visio': PAGES,
  'application/x-mspublisher': PAGES,
  'application/x-ole-storage': PAGES,
}

/** Formats of which Passim's own parsers refuse older or binary versions. */
const RETRIED: Readonly<Record<string, Target>> = {
  'application/msword': TEXT,
  'application/vnd.ms-powerpoint': SLIDES,
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': SHEET,
}

/** The name decides where the bytes do not. */
const BY_EXTENSION: Readonly<Record<string, Target>> = {
  '.pages': TEXT,
  '.numbers': SHEET,
  '.key': SLIDES,
  '.wps': TEXT,
}

/**
 * Runs no macro, updates no link and fetches nothing from the network (officecfg's schema, which
 * LibreOffice ships).
 */
const PROFILE = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="MacroSecurityLevel" oor:op="fuse"><value>3</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="BlockUntrustedRefererLinks" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Writer/Content/Update"><prop oor:name="Link" oor:op="fuse"><value>0</value></prop></item>
<item oor:path="/org.openoffice.Office.Calc/Content/Update"><prop oor:name="Link" oor:op="fuse"><value>2</value></prop></item>
<item oor:path="/org.openoffice.Inet/Settings"><prop oor:name="ooInetProxyType" oor:op="fuse"><value>2</value></prop></item>
<item oor:path="/org.openoffice.Inet/Settings"><prop oor:name="ooInetHTTPProxyName" oor:op="fuse"><value>127.0.0.1</value></prop></item>
<item oor:path="/org.openoffice.Inet/Settings"><prop oor:name="ooInetHTTPProxyPort" oor:op="fuse"><value>9</value></prop></item>
<item oor:path="/org.openoffice.Inet/Settings"><prop oor:name="ooInetHTTPSProxyName" oor:op="fuse"><value>127.0.0.1</value></prop></item>
<item oor:path="/org.openoffice.Inet/Settings"><prop oor:name="ooInetHTTPSProxyPort" oor:op="fuse"><value>9</value></prop></item>
</oor:items>
`

type LibreOfficeOptions = {
  /** Path of `soffice`. */
  readonly program: string
  readonly limits: ParseLimits
  /** Isolated parsers, one of which reads the converted file. */
  readonly readers: readonly Parser[]
}

/**
 * Adds an installed LibreOffice, for formats that the parsers do not read, unless one of its
 * targets has no reader.
 */
export function addLibreOffice(options: LibreOfficeOptions): readonly Parser[] {
  const find = ({ mediaType }: Target) =>
    options.readers.find(({ mediaTypes }) => mediaTypes.includes(mediaType))
  const [odt, ods, odp, pdf] = [find(TEXT), find(SHEET), find(SLIDES), find(PAGES)]
  if (!odt || !ods || !odp || !pdf) return options.readers
  const converter = new Converter(options, { odt, ods, odp, pdf })
  const id = `libreoffice@1(${[odt, ods, odp, pdf].map(reader => reader.id).join(',')})`
  const readerTypes = new Set(options.readers.flatMap(({ mediaTypes }) => mediaTypes))
  const mediaTypes = Object.keys(TARGETS).filter(type => !readerTypes.has(type))
  const own: Parser = {
    id,
    mediaTypes,
    usesOcr: true,
    parse: (input, signal) => converter.parse(input, signal),
  }
  return [...options.readers.map(reader => converter.addTo(reader, id)), own]
}

class Converter {
  readonly #options: LibreOfficeOptions
  readonly #readers: Readers
  /** One at a time, since each takes hundreds of megabytes. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: LibreOfficeOptions, readers: Readers) {
    this.#options = options
    this.#readers = readers
  }

  addTo(reader: Parser, id: string): Parser {
    if (!reader.mediaTypes.some(type => type in RETRIED)) return reader
    const parse = this.#parseOrConvert.bind(this, reader)
    return { ...reader, id: `${reader.id}+${id}`, settledId: reader.id, parse }
  }

  async *#parseOrConvert(
    reader: Parser,
    input: ParserInput,
    signal?: AbortSignal,
  ): AsyncGenerator<ParserEvent> {
    try {
      yield* reader.parse(input, signal)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unsupported_format') throw error
      yield* this.parse(input, signal)
    }
  }

  async *parse(input: ParserInput, signal?: AbortSignal): AsyncGenerator<ParserEvent> {
    const target =
      BY_EXTENSION[path.extname(input.name).toLowerCase()] ??
      TARGETS[input.mediaType] ??
      RETRIED[input.mediaType] ??
      PAGES
    const folder = await mkdtemp(path.join(tmpdir(), 'passim-libreoffice-'))
    try {
      const converted = await this.#convertInTurn({ input, target, folder }, signal)
      const { extension, mediaType } = target
      yield* this.#readers[extension].parse({ ...input, path: converted, mediaType }, signal)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  async #convertInTurn(conversion: Conversion, signal?: AbortSignal): Promise<string> {
    const converted = this.#last.then(() => this.#convert(conversion, signal))
    this.#last = converted.catch(() => undefined) // reported by the document
    return await converted
  }

  async #convert({ input, target, folder }: Conversion, signal?: AbortSignal): Promise<string> {
    const profile = path.join(folder, 'profile')
    await mkdir(path.join(profile, 'user'), { recursive: true })
    await writeFile(path.join(profile, 'user', 'registrymodifications.xcu'), PROFILE)
    const extension = /^\.\w{1,10}$/.exec(path.extname(input.name))?.[0] ?? ''
    const original = path.join(folder, `original${extension}`)
    await copyFile(input.path, original)
    const command = [
      this.#options.program,
      `-env:UserInstallation=${pathToFileURL(profile).href}`,
      ...['--headless', '--norestore', '--nolockcheck', '--nodefault'],
      ...['--convert-to', target.extension, '--outdir', path.join(folder, 'converted'), original],
    ]
    const { size: sizeBytes } = await stat(original)
    const { limits } = this.#options
    const run = { command, folder, limits, input: { name: input.name, sizeBytes } }
    const output = await runLimited(run, signal)
    const converted = path.join(folder, 'converted', `original.${target.extension}`)
    const { size } = await stat(converted).catch(() => ({ size: 0 }))
    if (size > 0) return converted
    throw new AppError(
      'corrupt',
      localizable`Cannot read ${input.name}: LibreOffice could not convert it. It may be damaged or protected by a password: save it as .${target.extension} and add it again.`,
      { cause: output },
    )
  }
}

type Conversion = {
  readonly input: ParserInput
  readonly target: Target
  readonly folder: string
}

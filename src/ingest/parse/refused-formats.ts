import { localizable, type Sentence } from '../../errors/localizable.ts'

type Reader = { readonly id: string; readonly mediaTypes: readonly string[] }

export type Remedy = { readonly message: Sentence; readonly advice?: Sentence | undefined }

const UNPACK = 'It is an archive: unpack it and add what is in it.'
const RECORDING = 'It is a recording: add its transcript or subtitles as text.'

const REMEDIES: readonly (readonly [RegExp, Remedy])[] = [
  [
    /^application\/x-ole-storage$/,
    saveAs('a file of an older Office program', 'a newer format, as .docx, .xlsx or .pptx'),
  ],
  [/^application\/x-mspublisher$/, saveAs('a Publisher document', '.pdf')],
  [/^application\/vnd\.visio$/, saveAs('a Visio drawing', '.pdf')],
  [/^application\/vnd\.oasis\.opendocument\.graphics$/, saveAs('a drawing', '.pdf')],
  [/^application\/vnd\.wordperfect$/, saveAs('a WordPerfect document', '.docx')],
  [/^application\/vnd\.sun\.xml\./, saveAs('a file of OpenOffice 1', '.odt, .ods or .odp')],
  [
    /^application\/vnd\.apple\.iwork$/,
    {
      ...saveAs('a document of Pages, Keynote or Numbers', '.pdf'),
      message:
        'It is a document of Pages, Keynote or Numbers: export it as PDF or for Word, PowerPoint or Excel, and add that.',
    },
  ],
  [/^application\/(?:gzip|x-7z-compressed|vnd\.rar|java-archive)$/, { message: UNPACK }],
  [/^(?:audio|video)\//, { message: RECORDING }],
  [
    /^application\/vnd\.sqlite3$/,
    { message: 'It is a database: export its tables as CSV and add these.' },
  ],
  [/^application\/x-executable$/, { message: 'It is a program: add its documentation instead.' }],
  [/^image\//, { message: 'It is a picture: save it as PNG or JPEG and add it again.' }],
]

/** Returns undefined if a parser reads the format. */
export function findRefusal(mediaType: string, parsers: readonly Reader[]): Remedy | undefined {
  const isReadable = parsers.some(parser => parser.mediaTypes.includes(mediaType))
  return isReadable ? undefined : findRemedy(mediaType, parsers)
}

export function findRemedy(mediaType: string, parsers: readonly Reader[]): Remedy {
  const remedy = REMEDIES.find(([type]) => type.test(mediaType))?.[1]
  return (
    remedy ?? {
      message: localizable`Convert it to a supported format: ${listFormats(parsers)}.`,
    }
  )
}

const OWN_TYPES = 'application/vnd.passim.'

function listFormats(parsers: readonly Reader[]): string {
  return parsers
    .filter(({ mediaTypes }) => !mediaTypes.every(type => type.startsWith(OWN_TYPES)))
    .map(({ id }) => id.split('@')[0])
    .join(', ')
}

function saveAs(kind: string, format: string): Remedy {
  return {
    message: localizable`It is ${kind}: save it as ${format}, in Office or with LibreOffice, and add it again.`,
    advice: 'If LibreOffice is installed, Passim reads such files itself: passim doctor shows it.',
  }
}

/** Formats that nobody should have to guess about: what to save a file as so that it can be read. */
const ADVICE: Readonly<Record<string, string>> = {
  'application/msword': saveAs('a Word 97–2003 document', 'docx'),
  'application/vnd.ms-excel': saveAs('an Excel 97–2003 workbook', 'xlsx'),
  'application/vnd.ms-powerpoint': saveAs('a PowerPoint 97–2003 presentation', 'pptx'),
  'application/x-ole-storage':
    'It is a file of an older Office program: save it in a newer format, as .docx, .xlsx or .pptx, and add it again.',
  'application/vnd.ms-outlook': 'It is a message in the format of Outlook: save it as .eml and add it again.',
  'application/vnd.oasis.opendocument.spreadsheet': saveAs('an OpenDocument spreadsheet', 'xlsx'),
  'application/vnd.oasis.opendocument.presentation': saveAs('an OpenDocument presentation', 'pptx'),
  'application/zip': 'It is an archive: unpack it and add what is in it.',
  'application/gzip': 'It is an archive: unpack it and add what is in it.',
  'application/x-7z-compressed': 'It is an archive: unpack it and add what is in it.',
  'application/vnd.rar': 'It is an archive: unpack it and add what is in it.',
}

/** What to do with a file of a type that no parser reads, where more can be said than to convert it. */
export function conversionAdvice(mediaType: string): string | undefined {
  return ADVICE[mediaType]
}

function saveAs(kind: string, extension: string): string {
  const command = `soffice --headless --convert-to ${extension} FILE`
  return `It is ${kind}: save it as .${extension}, in Office or with LibreOffice (${command}), and add it again.`
}
